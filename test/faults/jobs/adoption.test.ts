import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { createJobHost, type JobHost } from "../../../adapters/runners/local/host/host.ts"
import { createIds, type JobId } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { isRunning } from "../../contract/job-runner.ts"

const SCRIPT = fileURLToPath(new URL("dying-host.ts", import.meta.url))
const ids = createIds()

interface Start {
  readonly command: string
  readonly timeoutMs?: number
  readonly background?: "end" | "keep"
  readonly secrets?: readonly { readonly name: string; readonly value: string }[]
}

/** A data directory whose hosts die one after the other. */
class Line implements AsyncDisposable {
  readonly home: string
  readonly root: string
  readonly started: JobId[] = []
  readonly hosts: JobHost[] = []
  /** The one that is being killed, or was the last. */
  lastHost = ""
  constructor(home: string) {
    this.home = home
    this.root = join(home, "root")
  }

  /** A host that starts these commands and is killed once `until` holds; the ids of its Jobs. */
  async die(starts: readonly Start[], until: () => Promise<boolean> = async () => true) {
    const hostId = ids.instance()
    this.lastHost = hostId
    const orders = starts.map((start) => ({
      jobId: ids.job(),
      timeoutMs: 60_000,
      background: "end",
      secrets: [],
      ...start,
    }))
    this.started.push(...orders.map(({ jobId }) => jobId))
    const order = { home: this.home, hostId, root: this.root, starts: orders }
    const child = spawn(process.execPath, [SCRIPT, JSON.stringify(order)], { stdio: ["ignore", "pipe", "inherit"] })
    await once(child.stdout, "data")
    while (!(await until())) await sleep(20)
    child.kill("SIGKILL")
    await once(child, "exit")
    return { hostId, jobIds: orders.map(({ jobId }) => jobId) }
  }

  /** The next host, which adopts. */
  async next(): Promise<JobHost> {
    const host = createJobHost({
      hostId: ids.instance(),
      dataDirectory: join(this.home, "data"),
      runtimeDirectory: join(this.home, "run"),
      environment: { server: process.env },
      mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
      now: Date.now,
    })
    this.hosts.push(host)
    await host.adopt()
    return host
  }

  journal(hostId: string): string {
    return join(this.home, "data", "runner", hostId, "journal")
  }

  /** Whether a text is in the spools of this host: what was read and not stored dies with a host. */
  async hasStored(hostId: string, text: string): Promise<boolean> {
    const spool = join(this.home, "data", "runner", hostId, "spool")
    const entries = await readdir(spool, { recursive: true, withFileTypes: true }).catch(() => [])
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const texts = await Promise.all(files.map((file) => readFile(file, "utf8")))
    return texts.some((content) => content.includes(text))
  }

  file = async (name: string): Promise<string | undefined> =>
    readFile(join(this.root, name), "utf8").catch(() => undefined)

  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of this.hosts) {
      for (const jobId of this.started) await host.endOrphan(jobId, { graceMs: 0 })
      await host.close("end")
    }
    await rm(this.home, { recursive: true, force: true })
  }
}

async function openLine(): Promise<Line> {
  const line = new Line(await realpath(await mkdtemp(join(tmpdir(), "hf-adopt-"))))
  await mkdir(line.root)
  return line
}

async function textOf(host: JobHost, jobId: JobId): Promise<string> {
  const page = await host.read(jobId, "stdout", { from: 0, max: 1_048_576 })
  return Buffer.from(page?.bytes ?? []).toString()
}

const untilEnd = (host: JobHost, jobId: JobId) => host.watch(jobId, { from: 0, until: "end" })

describe("Jobs of a host that died", () => {
  it("J15: go on under the next host: running, then unknown with the true time and all output", async () => {
    await using line = await openLine()
    const command = "echo head; touch up; sleep 2; echo tail; date +%s%3N > done; exit 4"
    const { jobIds, hostId } = await line.die([{ command }], () => line.hasStored(line.lastHost, "head\n"))
    const host = await line.next()
    const [jobId] = jobIds as [JobId]
    expect(await host.facts(jobId)).toMatchObject({
      state: "running",
      outputGap: true,
      totals: { stdout: { bytes_total: 5, lines_total: 1 } },
      summary: command,
    })
    expect((await host.inventory()).map((facts) => facts.jobId)).toEqual([jobId])
    expect(await host.recall(hostId, jobId)).toEqual({ state: "alive" })
    const ended = await untilEnd(host, jobId)
    expect(ended).toMatchObject({
      state: "ended",
      outcome: { kind: "unknown", reason: "supervisor_lost" },
      outputGap: true,
      totals: { stdout: { bytes_total: 10, lines_total: 2 } },
    })
    expect(Math.abs((ended?.finishedAt ?? 0) - Number(await line.file("done")))).toBeLessThan(1500)
    expect(await textOf(host, jobId)).toBe("head\ntail\n")
    await host.ack([jobId])
    expect(await host.recall(hostId, jobId)).toMatchObject({ state: "ended", outcome: { kind: "unknown" } })
    await expect.poll(() => readdir(join(line.home, "run"))).toEqual([host.hostId])
  })

  it("a process that waits at its full pipe goes on, and nothing that it writes then is lost", async () => {
    await using line = await openLine()
    const command = "touch up; i=0; while [ $i -lt 40000 ]; do echo $i; i=$((i+1)); done; touch done"
    const { jobIds } = await line.die([{ command }], async () => (await line.file("up")) !== undefined)
    await sleep(500)
    expect(await line.file("done")).toBeUndefined()
    const host = await line.next()
    await untilEnd(host, jobIds[0]!)
    const lines = (await textOf(host, jobIds[0]!)).trim().split("\n")
    expect(lines.at(-1)).toBe("39999")
    // What the dead host had read and not stored may be missing, whole lines and one torn one.
    const numbers = lines.map(Number)
    expect(numbers.filter((n, index) => n < (numbers[index - 1] ?? -1)).length).toBeLessThanOrEqual(1)
  })

  it("their time runs out, and a stop ends the whole tree, under the next host too", async () => {
    await using line = await openLine()
    const tree = "setsid sleep 301 & sleep 302 & touch up-$$; sleep 303"
    const starts = [{ command: tree, timeoutMs: 2500 }, { command: tree }]
    const { jobIds } = await line.die(starts, async () => (await readdir(line.root)).length === 2)
    const host = await line.next()
    const stopped = await host.stop(jobIds[1]!, { cause: "stop_job", graceMs: 500 })
    expect(stopped).toMatchObject({ state: "ended", outcome: { kind: "cancelled", by: "stop_job" }, survivors: [] })
    expect((await untilEnd(host, jobIds[0]!))?.outcome).toMatchObject({ kind: "timed_out", after_ms: 2500 })
    for (const jobId of jobIds) expect(await host.endOrphan(jobId, { graceMs: 0 })).toMatchObject({ signalled: false })
  })

  it("J17: one that has gone ends as unknown, and the stranger that has its pid gets no signal", async () => {
    await using line = await openLine()
    const { jobIds, hostId } = await line.die([{ command: "echo out; sleep 300" }])
    const [jobId] = jobIds as [JobId]
    const journal = line.journal(hostId)
    const text = await readFile(journal, "utf8")
    const pid = Number(/"pid":(\d+)/.exec(text)?.[1])
    process.kill(pid, "SIGKILL")
    // Two processes of one tick of the clock would have one start time.
    await sleep(50)
    const stranger = spawn("sleep", ["300"], { stdio: "ignore" })
    await expect.poll(() => isRunning(pid)).toBe(false)
    await writeFile(journal, text.replace(`"pid":${pid}`, `"pid":${stranger.pid}`))
    const host = await line.next()
    expect(await untilEnd(host, jobId)).toMatchObject({ outcome: { kind: "unknown", reason: "supervisor_lost" } })
    await host.stop(jobId, { cause: "stop_job", graceMs: 0 })
    expect(await isRunning(stranger.pid ?? 0)).toBe(true)
    stranger.kill("SIGKILL")
  })

  it("J17: of another boot none is looked at: the machine was restarted", async () => {
    await using line = await openLine()
    const { jobIds, hostId } = await line.die([{ command: "sleep 300" }])
    const journal = line.journal(hostId)
    const text = await readFile(journal, "utf8")
    await writeFile(journal, text.replace(/"boot":"[^"]*"/, '"boot":"another"'))
    const host = await line.next()
    expect(await host.facts(jobIds[0]!)).toBeUndefined()
    expect(await host.recall(hostId, jobIds[0]!)).toMatchObject({ state: "machine_restarted" })
    expect(await isRunning(Number(/"pid":(\d+)/.exec(text)?.[1]))).toBe(true)
  })

  it("accepted and not journalled as started: found by its marker, else it may have run", async () => {
    await using line = await openLine()
    const starts = [{ command: "sleep 1; echo late" }, { command: "sleep 300" }]
    const { jobIds, hostId } = await line.die(starts)
    const journal = line.journal(hostId)
    const entries = (await readFile(journal, "utf8")).split("\n")
    const pid = Number(
      /"pid":(\d+)/.exec(entries.find((one) => one.includes(jobIds[1]!) && one.includes("pid")) ?? "")?.[1],
    )
    process.kill(-pid, "SIGKILL")
    // The last line is torn, as a death in the middle of it would leave it.
    const kept = entries.filter((one) => one !== "" && !one.includes('"started"'))
    await writeFile(journal, `${kept.join("\n")}\n{"e":"started","jo`)
    const host = await line.next()
    expect(await host.facts(jobIds[0]!)).toMatchObject({ state: "running" })
    await untilEnd(host, jobIds[0]!)
    expect(await textOf(host, jobIds[0]!)).toBe("late\n")
    expect((await untilEnd(host, jobIds[1]!))?.outcome).toEqual({ kind: "unknown", reason: "supervisor_lost" })
    await host.ack(jobIds)
    expect(await host.recall(hostId, jobIds[0]!)).toMatchObject({ state: "ended" })
    expect(await host.recall(hostId, ids.job())).toEqual({ state: "never_accepted" })
  })

  it("a second death: the third host goes on in the same spool and journal", async () => {
    await using line = await openLine()
    const command = "echo one; while [ ! -e b ]; do sleep 0.05; done; echo two; sleep 1; echo three"
    const { jobIds, hostId } = await line.die([{ command }], () => line.hasStored(line.lastHost, "one\n"))
    await line.die([], async () => {
      await writeFile(join(line.root, "b"), "")
      return line.hasStored(hostId, "two\n")
    })
    const host = await line.next()
    const ended = await untilEnd(host, jobIds[0]!)
    expect(ended?.outcome).toEqual({ kind: "unknown", reason: "supervisor_lost" })
    const text = await textOf(host, jobIds[0]!)
    expect(text).toBe("one\ntwo\nthree\n")
    const accepted = (await readFile(line.journal(hostId), "utf8"))
      .split("\n")
      .filter((one) => one.includes("accepted"))
    expect(accepted).toHaveLength(1)
  })

  it("what a command left behind is ended or kept as it was told, and its secrets stay masked", async () => {
    await using line = await openLine()
    const secret = "sup3r-s3cret-value"
    const { jobIds } = await line.die([
      { command: "sleep 300 & sleep 1; echo end" },
      { command: "sleep 300 & sleep 1; echo keep", background: "keep" },
      { command: `MY_TOKEN=${secret}; sleep 1; echo $MY_TOKEN`, secrets: [{ name: "MY_TOKEN", value: secret }] },
    ])
    const host = await line.next()
    const [ended, kept, masked] = await Promise.all(jobIds.map((jobId) => untilEnd(host, jobId)))
    expect(ended).toMatchObject({ endedBackground: [{ command: "sleep 300" }], background: [] })
    expect(kept).toMatchObject({ background: [{ command: "sleep 300" }], endedBackground: [] })
    expect(masked?.summary).toBe("MY_TOKEN=[redacted:MY_TOKEN]; sleep 1; echo $MY_TOKEN")
    expect(await textOf(host, jobIds[2]!)).toBe("[redacted:MY_TOKEN]\n")
    await host.stop(jobIds[1]!, { cause: "stop_job", graceMs: 0 })
    expect(await host.facts(jobIds[1]!)).toMatchObject({ background: [] })
  })

  it("kept background processes of a Job that had ended are read on, named and stopped", async () => {
    await using line = await openLine()
    const command = "(while [ ! -e go ]; do sleep 0.05; done; echo late; exec sleep 300) & echo early; exit 3"
    const ended = async () => (await readFile(line.journal(line.lastHost), "utf8")).includes('"ended"')
    const stored = async () => (await ended()) && line.hasStored(line.lastHost, "early\n")
    const { jobIds } = await line.die([{ command, background: "keep" }], stored)
    const host = await line.next()
    const [jobId] = jobIds as [JobId]
    expect(await host.facts(jobId)).toMatchObject({
      state: "ended",
      outcome: { kind: "exited", exit_code: 3 },
      outputOpen: true,
    })
    await writeFile(join(line.root, "go"), "")
    await expect.poll(() => textOf(host, jobId)).toBe("early\nlate\n")
    const stopped = await host.stop(jobId, { cause: "stop_job", graceMs: 500 })
    expect(stopped).toMatchObject({ outcome: { kind: "exited", exit_code: 3 }, background: [], outputOpen: false })
    expect(await host.endOrphan(jobId, { graceMs: 0 })).toMatchObject({ signalled: false })
  })

  it("a host that dies beside a living one is taken over when its Job is asked for", async () => {
    await using line = await openLine()
    const host = await line.next()
    const { jobIds, hostId } = await line.die([{ command: "sleep 2; echo late" }])
    expect(await host.facts(jobIds[0]!)).toBeUndefined()
    expect(await host.recall(hostId, jobIds[0]!)).toEqual({ state: "alive" })
    expect((await untilEnd(host, jobIds[0]!))?.outcome).toEqual({ kind: "unknown", reason: "supervisor_lost" })
    expect(await textOf(host, jobIds[0]!)).toBe("late\n")
  })

  it("of two hosts at once one adopts, and a Job given up for never started does not start", async () => {
    await using line = await openLine()
    const { jobIds, hostId } = await line.die([{ command: "sleep 1; echo x" }])
    const hosts = await Promise.all([line.next(), line.next()])
    const known = await Promise.all(hosts.map((host) => host.facts(jobIds[0]!)))
    expect(known.filter((facts) => facts !== undefined)).toHaveLength(1)
    const [one, other] = known[0] === undefined ? [hosts[1], hosts[0]] : hosts
    expect(await other!.recall(hostId, jobIds[0]!)).toEqual({ state: "alive" })
    const never = ids.job()
    expect(await one!.recall(one!.hostId, never)).toEqual({ state: "never_accepted" })
    const spec = { root: line.root, cwd: ".", env: [], timeoutMs: 1000, background: "end", secrets: [] } as const
    await expect(
      one!.start({ ...spec, jobId: never, command: { kind: "shell", text: "touch ran" } }),
    ).rejects.toMatchObject({ kind: "spawn_failed", executionState: "not_started" })
  })
})
