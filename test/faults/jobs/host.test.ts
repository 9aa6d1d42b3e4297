import { execFileSync } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { createJobHost, type HostOptions, type JobHost } from "../../../adapters/runners/local/host/host.ts"
import { createIds } from "../../../core/kernel/ids.ts"
import { createSecretRegistry } from "../../../core/kernel/secrets.ts"
import { readAll, runToEnd, specFor } from "../../contract/job-spec.ts"

interface HostUnderTest extends AsyncDisposable {
  readonly host: JobHost
  readonly home: string
  readonly root: string
  readonly hostId: string
}

async function openHost(
  changes: Partial<HostOptions> = {},
  prepare?: (home: string, hostId: string) => Promise<void>,
): Promise<HostUnderTest> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "hf-host-")))
  const root = join(home, "root")
  await mkdir(root)
  const hostId = createIds().instance()
  await prepare?.(home, hostId)
  const host = createJobHost({
    hostId,
    dataDirectory: join(home, "data"),
    runtimeDirectory: join(home, "run"),
    environment: { server: process.env },
    mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
    now: Date.now,
    ...changes,
  })
  return {
    host,
    home,
    root,
    hostId,
    async [Symbol.asyncDispose]() {
      await host.close("end")
      await rm(home, { recursive: true, force: true })
    },
  }
}

describe("the host under faults", () => {
  it("J38: output that cannot be stored is dropped and counted; the exit is right, other Jobs work", async () => {
    await using test = await openHost({}, async (home, hostId) => {
      await mkdir(join(home, "data", "runner", hostId), { recursive: true })
      await writeFile(join(home, "data", "runner", hostId, "spool"), "in the way")
    })
    const { facts, stdout } = await runToEnd(test.host, specFor(test.root, "seq 1000; exit 3"))
    expect(facts).toMatchObject({
      outcome: { kind: "exited", exit_code: 3 },
      outputGap: true,
      totals: { stdout: { bytes_total: 3893, lines_total: 1000, dropped_bytes: 3893 } },
    })
    expect(stdout).toBe("")
    await rm(join(test.home, "data", "runner", test.hostId, "spool"))
    expect((await runToEnd(test.host, specFor(test.root, "echo fine"))).stdout).toBe("fine\n")
  })

  it("J43: a start that the system refuses is spawn_failed and not started; the next one works", async () => {
    const bin = await mkdtemp(join(tmpdir(), "hf-bin-"))
    const which = (name: string) => execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim()
    await symlink(which("bash"), join(bin, "bash"))
    await using test = await openHost({ environment: { server: { PATH: bin } } })
    const refused = specFor(test.root, "echo ran > ran")
    await expect(test.host.start(refused)).rejects.toMatchObject({
      kind: "spawn_failed",
      executionState: "not_started",
      recovery: "retry_later",
    })
    expect(await test.host.facts(refused.jobId)).toMatchObject({ state: "ended", refused: { kind: "spawn_failed" } })
    expect(await readdir(test.root)).toEqual([])
    await symlink(which("mkfifo"), join(bin, "mkfifo"))
    expect((await runToEnd(test.host, specFor(test.root, "echo works"))).stdout).toBe("works\n")
    await rm(bin, { recursive: true })
  })

  it("descriptors that the server inherited stay hidden from commands", () => {
    const script = fileURLToPath(new URL("inheriting-host.ts", import.meta.url))
    const file = join(mkdtempSync(join(tmpdir(), "hf-fd-")), "handed-down")
    const text = 'echo > "$2"; exec 9<"$2" 77<"$2"; exec "$0" "$1"'
    const seen = execFileSync("bash", ["-c", text, process.execPath, script, file], { encoding: "utf8" })
    expect(seen).toMatch(/^0\n.*bash parent\n$/)
  })

  it("J44: many quick commands leave no zombie, no descriptor and no file", async () => {
    await using test = await openHost()
    const once = async () => {
      const spec = specFor(test.root, "true", { stdin: "x" })
      await runToEnd(test.host, spec)
      await test.host.ack([spec.jobId])
    }
    for (let n = 0; n < 20; n += 1) await once()
    const before = (await readdir("/proc/self/fd")).length
    for (let n = 0; n < 200; n += 1) await once()
    expect((await readdir("/proc/self/fd")).length).toBeLessThanOrEqual(before + 2)
    const children = execFileSync("ps", ["-o", "stat=", "--ppid", String(process.pid)], { encoding: "utf8" })
    expect(children.split("\n").filter((line) => line.startsWith("Z"))).toEqual([])
    const left = await readdir(join(test.home, "run", test.hostId))
    expect(left.filter((name) => !/^p\d+$/.test(name))).toEqual([])
    expect(left.length).toBeLessThanOrEqual(40)
    await test.host.close("end")
    expect(await readdir(test.home)).not.toContain("run")
  })

  it("J6: a command that ends just when its time is up has one end, and it is one of the two", async () => {
    await using test = await openHost()
    const ends = await Promise.all(
      Array.from({ length: 16 }, async () => {
        const { facts } = await runToEnd(test.host, specFor(test.root, "sleep 1", { timeoutMs: 1000 }))
        return facts.outcome?.kind
      }),
    )
    for (const kind of ends) expect(["exited", "timed_out"]).toContain(kind)
  })

  it("J21: a flood without a newline is counted exactly", async () => {
    await using test = await openHost()
    const spec = specFor(test.root, "head -c 200000000 /dev/zero | tr '\\0' x")
    await test.host.start(spec)
    const facts = await test.host.watch(spec.jobId, { from: 0, until: "end" })
    expect(facts).toMatchObject({
      outcome: { kind: "exited", exit_code: 0 },
      totals: { stdout: { bytes_total: 200_000_000, lines_total: 1 } },
    })
    const page = await test.host.read(spec.jobId, "stdout", { from: 0, max: 0 })
    const kept = page!.retained.reduce((sum, range) => sum + range.to - range.from, 0)
    expect(kept + facts!.totals.stdout.dropped_bytes).toBe(page!.total)
    expect(kept).toBeLessThanOrEqual(64 * 1_048_576 + 8 * 1_048_576)
  })

  it("a Job that writes more than the configured limit is ended, and what it wrote stays", async () => {
    await using test = await openHost({ limits: { outputLimitBytes: 10_000 } })
    const within = await runToEnd(test.host, specFor(test.root, "head -c 6000 /dev/zero; head -c 4000 /dev/zero >&2"))
    expect(within.facts.outcome).toEqual({ kind: "exited", exit_code: 0 })
    const spec = specFor(test.root, "head -c 6000 /dev/zero; head -c 4001 /dev/zero >&2; sleep 60")
    const beyond = await runToEnd(test.host, spec)
    const then = { signal: "SIGTERM", survivors: [] }
    expect(beyond.facts).toMatchObject({
      outcome: { kind: "cancelled", by: "output_limit", then },
      totals: { stdout: { bytes_total: 6000 }, stderr: { bytes_total: 4001 } },
    })
    expect([beyond.stdout.length, beyond.stderr.length]).toEqual([6000, 4001])
  })

  it("evicts the spools of dead hosts and reads them until then; spools of running commands stay", async () => {
    await using test = await openHost({ limits: { spoolTotalBytes: 1 } })
    const old = createJobHost({
      hostId: createIds().instance(),
      dataDirectory: join(test.home, "data"),
      runtimeDirectory: join(test.home, "run"),
      environment: { server: process.env },
      mask: (literals) => createSecretRegistry().redactor().with(literals).byteStream(),
      now: Date.now,
    })
    const past = specFor(test.root, "echo past")
    await runToEnd(old, past)
    expect(await test.host.sweep()).toEqual([])
    await old.close("end")
    expect(await readAll(test.host, past, "stdout")).toBe("past\n")
    expect(await test.host.recall(old.hostId, past.jobId)).toMatchObject({
      state: "ended",
      outcome: { kind: "exited", exit_code: 0 },
    })
    const live = specFor(test.root, "echo live; sleep 30")
    await test.host.start(live)
    await test.host.watch(live.jobId, { from: 2, until: "change" })
    expect(await test.host.sweep()).toEqual([past.jobId])
    expect(await test.host.read(past.jobId, "stdout", { from: 0, max: 10 })).toBeUndefined()
    expect(await readAll(test.host, live, "stdout")).toBe("live\n")
  })

  it("forgets hosts that are gone once their Jobs are settled and their output is evicted", async () => {
    await using test = await openHost({ limits: { spoolTotalBytes: 1 } })
    const runner = join(test.home, "data", "runner")
    const old = await openHost({ dataDirectory: join(test.home, "data"), runtimeDirectory: join(test.home, "run") })
    await runToEnd(old.host, specFor(old.root, "echo past"))
    await old.host.close("end")
    const later = { now: () => Date.now() + 120_000 }
    await using next = await openHost({
      ...later,
      limits: { spoolTotalBytes: 1 },
      dataDirectory: join(test.home, "data"),
      runtimeDirectory: join(test.home, "run"),
    })
    await next.host.sweep()
    await next.host.sweep({ owingHosts: [old.hostId] })
    expect(await readdir(runner)).toContain(old.hostId)
    await next.host.sweep({ owingHosts: [] })
    expect((await readdir(runner)).sort()).toEqual([test.hostId, next.hostId].sort())
  })

  it("a waiting command whose folder vanished is refused when its turn comes, and the next one runs", async () => {
    await using test = await openHost({ limits: { maxRunningJobs: 1 } })
    await mkdir(join(test.root, "sub"))
    await test.host.start(specFor(test.root, "sleep 0.5"))
    const second = specFor(test.root, "true", { cwd: "sub" })
    const third = specFor(test.root, "echo third")
    expect(await test.host.start(second)).toMatchObject({ state: "queued", queuePosition: 1 })
    expect(await test.host.start(third)).toMatchObject({ state: "queued", queuePosition: 2 })
    await rm(join(test.root, "sub"), { recursive: true })
    expect((await runToEnd(test.host, third)).stdout).toBe("third\n")
    const facts = await test.host.facts(second.jobId)
    expect(facts).toMatchObject({ state: "ended", refused: { kind: "cwd_invalid" } })
    expect(facts?.outcome).toBeUndefined()
  })

  it("closing with keep ends what is being stopped, whatever grace it was promised", async () => {
    await using test = await openHost()
    const spec = specFor(test.root, "trap '' TERM; echo up; while :; do sleep 0.2; done")
    await test.host.start(spec)
    await test.host.watch(spec.jobId, { from: 2, until: "change" })
    const stopped = test.host.stop(spec.jobId, { cause: "stop_job", graceMs: 30_000 })
    await expect.poll(async () => (await test.host.facts(spec.jobId))?.state).toBe("stopping")
    await test.host.close("keep")
    const then = { signal: "SIGKILL", survivors: [] }
    expect(await stopped).toMatchObject({ state: "ended", outcome: { kind: "cancelled", by: "stop_job", then } })
  })

  it("closing with keep leaves commands alive, reads nothing more and writes no journal", async () => {
    await using test = await openHost()
    const spec = specFor(test.root, "echo before; sleep 1; touch after")
    await test.host.start(spec)
    await test.host.watch(spec.jobId, { from: 2, until: "change" })
    await test.host.close("keep")
    await expect.poll(() => readdir(test.root), { timeout: 5000 }).toEqual(["after"])
    await using next = await openHost({
      dataDirectory: join(test.home, "data"),
      runtimeDirectory: join(test.home, "run"),
    })
    expect(await next.host.recall(test.hostId, spec.jobId)).toMatchObject({
      state: "supervisor_lost",
      totals: { stdout: { bytes_total: 7, lines_total: 1 } },
    })
  })
})
