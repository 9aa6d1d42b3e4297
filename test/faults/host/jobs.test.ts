import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { openStore } from "../../../adapters/storage/index.ts"
import { createIds, jobIdSchema } from "../../../core/kernel/ids.ts"
import type { ServerProcess } from "../../support/server-process.ts"
import { killProcess, makeServers, type Servers, until } from "./servers.ts"

const ids = createIds()

async function jobStatus(servers: Servers, server: ServerProcess, jobId: unknown) {
  return (await servers.call(server, "job_status", { job_id: jobId })).output
}

async function untilTerminal(servers: Servers, server: ServerProcess, jobId: unknown) {
  return until(
    () => jobStatus(servers, server, jobId),
    (job) => job.terminal === true,
  )
}

/** The whole stored stdout, page by page. */
async function stdoutOf(servers: Servers, server: ServerProcess, jobId: unknown): Promise<Buffer> {
  const pages: Buffer[] = []
  let from = 0
  for (;;) {
    const { output } = await servers.call(server, "job_log", {
      job_id: jobId,
      from_byte: from,
      max_bytes: 50_000,
      stream: "stdout",
      view: "raw",
      encoding: "base64",
    })
    const page = Object(output.stdout)
    pages.push(Buffer.from(String(page.base64), "base64"))
    if (page.next_byte === from || page.complete === true) return Buffer.concat(pages)
    from = page.next_byte
  }
}

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("")
const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex")

describe("Jobs while servers die", () => {
  it("J12: killed in the middle of the output: the next server has the exit status and every byte", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const command = "for i in $(seq 200000); do echo $i; done; exit 9"
    const { output } = await servers.call(first, "run_job", { project: "demo", command })
    await servers.kill(first)
    const second = await servers.start()
    const job = await untilTerminal(servers, second, output.job_id)
    expect(job).toMatchObject({ job_id: output.job_id, status: "failed", exit_code: 9, output_gap: false })
    expect(job).toMatchObject({ totals: { stdout: { lines_total: 200_000, dropped_bytes: 0 } } })
    expect(sha256(await stdoutOf(servers, second, output.job_id))).toBe(sha256(numbers(200_000)))
  }, 60_000)

  it("J13: an end while no server lived is told by the next, with its real time, once", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const started = await servers.call(first, "start_session", { project: "demo", title: "t" })
    const session = started.output.session_id
    const { output } = await servers.call(first, "run_job", {
      project: "demo",
      session_id: session,
      command: "sleep 1; echo done; exit 4",
    })
    await servers.kill(first)
    await sleep(3000)
    const before = Date.now()
    const second = await servers.start()
    const job = await jobStatus(servers, second, output.job_id)
    expect(job).toMatchObject({ status: "failed", terminal: true, exit_code: 4, recovered: true, output_gap: false })
    expect(Number(job.finished_at)).toBeLessThan(before - 1000)
    expect((await stdoutOf(servers, second, output.job_id)).toString()).toBe("done\n")
  }, 60_000)

  it("J14: a row whose server died before its start reached the host is lost and provably never started", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const { output } = await servers.call(first, "run_job", { project: "demo", command: "true" })
    await untilTerminal(servers, first, output.job_id)
    await servers.kill(first)
    const store = await openStore({ dataDir: servers.place.dataDir })
    const jobId = ids.job()
    await store.write(async (tx) => {
      const started = await tx.jobs.byId(jobIdSchema.parse(output.job_id))
      const { outcome: _, startedAt: _from, finishedAt: _to, output: _bytes, ...row } = started!
      await tx.jobs.insert({ ...row, jobId, status: "queued", executionState: "not_started", revision: 1 })
    })
    await store.close()
    const second = await servers.start()
    expect(await untilTerminal(servers, second, jobId)).toMatchObject({
      status: "lost",
      outcome: { kind: "lost", reason: "never_started" },
      execution_state: "not_started",
    })
  }, 60_000)

  it("J41: SIGTERM hands a waiting call over, names the Job, and the next server has its end", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const call = servers.call(first, "run_shell", { project: "demo", command: "sleep 3; echo x" })
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length > 0,
    )
    await sleep(500)
    const begun = Date.now()
    expect(await servers.stop(first)).toBe(0)
    expect(Date.now() - begun).toBeLessThan(10_000)
    const { success, output } = await call
    expect({ success, ...output }).toMatchObject({ success: true, status: "running", promoted_to_job: true })
    expect(first.stderr().trim().split("\n").at(-1)).toContain(String(output.job_id))
    const second = await servers.start()
    const job = await untilTerminal(servers, second, output.job_id)
    expect(job).toMatchObject({ status: "completed", exit_code: 0 })
    expect((await stdoutOf(servers, second, output.job_id)).toString()).toBe("x\n")
  }, 60_000)

  it("processes_on_shutdown end ends what this server started, and no other's", async () => {
    await using servers = await makeServers()
    const ending = await servers.start(["--processes-on-shutdown", "end"])
    const staying = await servers.start()
    const input = { project: "demo", command: "sleep 60" }
    const own = await servers.call(ending, "run_job", input)
    const other = await servers.call(staying, "run_job", input)
    expect(await servers.hosts()).toHaveLength(1)
    expect(await servers.stop(ending)).toBe(0)
    expect(await untilTerminal(servers, staying, own.output.job_id)).toMatchObject({
      status: "cancelled",
      outcome: { kind: "cancelled", by: "shutdown" },
    })
    expect(await jobStatus(servers, staying, other.output.job_id)).toMatchObject({ status: "running" })
  }, 60_000)

  it("a host that holds nothing goes after the last server, and one that holds an end stays for the next", async () => {
    await using servers = await makeServers({ HOLDFAST_RUNNER_LINGER_MS: "200" })
    const first = await servers.start()
    await servers.call(first, "run_shell", { project: "demo", command: "true" })
    expect(await servers.hosts()).toHaveLength(1)
    await servers.stop(first)
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 0,
    )
    const second = await servers.start()
    const { output } = await servers.call(second, "run_job", { project: "demo", command: "sleep 1" })
    await servers.kill(second)
    await sleep(2500)
    expect(await servers.hosts()).toHaveLength(1)
    const third = await servers.start()
    expect(await untilTerminal(servers, third, output.job_id)).toMatchObject({ status: "completed" })
    await servers.stop(third)
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 0,
    )
  }, 60_000)

  it("a host that dies is succeeded at once, and commands go on being started", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    await servers.call(server, "run_shell", { project: "demo", command: "true" })
    const [pid] = await servers.hosts()
    killProcess(pid!)
    const again = await servers.call(server, "run_shell", { project: "demo", command: "echo here" })
    expect(again.output).toMatchObject({ stdout: "here\n", exit_code: 0 })
    expect((await servers.hosts()).filter((host) => host !== pid)).toHaveLength(1)
  }, 60_000)
})
