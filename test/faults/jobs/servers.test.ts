import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { ServerProcess } from "../../support/server-process.ts"
import { killProcess, makeServers, type Servers, until } from "../host/servers.ts"

async function statusOf(servers: Servers, server: ServerProcess, jobId: unknown) {
  return (await servers.call(server, "job_status", { job_id: jobId })).output
}

const untilTerminal = (servers: Servers, server: ServerProcess, jobId: unknown) =>
  until(
    () => statusOf(servers, server, jobId),
    (job) => job.terminal === true,
  )

async function startJob(servers: Servers, server: ServerProcess, command: string, more: object = {}) {
  const { output } = await servers.call(server, "run_job", { project: "demo", command, ...more })
  return output.job_id
}

async function logOf(servers: Servers, server: ServerProcess, jobId: unknown): Promise<string> {
  const { output } = await servers.call(server, "job_log", { job_id: jobId, stream: "stdout" })
  return String(Object(output.stdout).text)
}

/** What is shown is stored: it survives whatever dies. */
const untilShown = (servers: Servers, server: ServerProcess, jobId: unknown) =>
  until(
    () => logOf(servers, server, jobId),
    (text) => text.endsWith("\n"),
  )

describe("Jobs while their host dies", () => {
  it("J15: host killed while the command runs: running, then unknown with all later output, never completed", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    const jobId = await startJob(servers, server, "echo head; sleep 3; echo tail; exit 4")
    await untilShown(servers, server, jobId)
    for (const pid of await servers.hosts()) killProcess(pid)
    const seen = new Set<unknown>()
    const job = await until(
      async () => {
        const status = await statusOf(servers, server, jobId)
        seen.add(status.status)
        return status
      },
      (status) => status.terminal === true,
    )
    expect(job).toMatchObject({
      status: "lost",
      outcome: { kind: "unknown", reason: "supervisor_lost" },
      exit_code: null,
      execution_state: "outcome_unknown",
      output_gap: true,
    })
    expect(seen.has("running") || seen.has("recovering")).toBe(true)
    expect(seen.has("completed")).toBe(false)
    expect(await logOf(servers, server, jobId)).toBe("head\ntail\n")
  }, 60_000)

  it("J15: server and host killed: the next server finds the Job running and ends it", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const jobId = await startJob(servers, first, "echo head; sleep 4; echo tail; exit 4")
    await untilShown(servers, first, jobId)
    const hosts = await servers.hosts()
    await servers.kill(first)
    for (const pid of hosts) killProcess(pid)
    const second = await servers.start()
    expect(await statusOf(servers, second, jobId)).toMatchObject({ status: "running", terminal: false })
    expect(await untilTerminal(servers, second, jobId)).toMatchObject({
      status: "lost",
      outcome: { kind: "unknown", reason: "supervisor_lost" },
    })
    expect(await logOf(servers, second, jobId)).toBe("head\ntail\n")
  }, 60_000)

  it("a stop after the host's death ends the whole tree", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    const jobId = await startJob(servers, server, "setsid sleep 300 & sleep 301 & echo $!; sleep 302")
    await untilShown(servers, server, jobId)
    for (const pid of await servers.hosts()) killProcess(pid)
    const { output } = await servers.call(server, "stop_job", { job_id: jobId, confirm: true })
    expect(output).toMatchObject({ stop_request_accepted: true })
    const ended = await untilTerminal(servers, server, jobId)
    expect(ended).toMatchObject({ status: "stopped", outcome: { kind: "cancelled", by: "stop_job" }, survivors: [] })
    const { output: left } = await servers.call(server, "run_shell", {
      project: "demo",
      command: `grep -al ${String(jobId)} /proc/[0-9]*/environ; true`,
    })
    expect(left.stdout).toBe("")
  }, 60_000)

  it("J18: a server killed while its keyed start is answered: the key has one process in the next server", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const input = { project: "demo", command: "echo x >> ran; sleep 20", idempotency_key: "K" }
    const lost = servers.call(first, "run_job", input).catch(() => undefined)
    const ran = join(servers.place.root, "ran")
    await until(
      () => readFile(ran, "utf8").catch(() => ""),
      (text) => text === "x\n",
    )
    await servers.kill(first)
    await lost
    const second = await servers.start()
    const { output } = await servers.call(second, "run_job", input)
    expect(output).toMatchObject({ replayed: true, status: "running" })
    expect(await readFile(ran, "utf8")).toBe("x\n")
    const other = await servers.call(second, "run_job", { ...input, command: "true" })
    expect(other.error).toMatchObject({ kind: "idempotency_conflict", details: { job_id: output.job_id } })
    await servers.call(second, "stop_job", { job_id: output.job_id, confirm: true, grace_secs: 0 })
  }, 60_000)

  it("J3, J42: three servers of which one after the other is killed: each Job runs once and has its true end", async () => {
    await using servers = await makeServers()
    const pool = [await servers.start(), await servers.start(), await servers.start()]
    const started = new Map<number, unknown>()
    let running = true
    const killing = (async () => {
      for (let round = 0; round < 4; round += 1) {
        await sleep(700)
        const victim = pool[round % 3]!
        await servers.kill(victim)
        pool[round % 3] = await servers.start()
      }
      running = false
    })()
    let next = 0
    const startOne = async (server: ServerProcess, n: number) => {
      const command = `echo ${n} >> ran; sleep 0.2; echo ${n}; exit ${n % 7}`
      const input = { project: "demo", command, idempotency_key: `job-${n}` }
      // A start whose server died is repeated under its key, at whichever server lives.
      const answer = await servers.call(server, "run_job", input).catch(() => undefined)
      if (answer?.output.job_id !== undefined) started.set(n, answer.output.job_id)
      return answer?.output.job_id !== undefined
    }
    while (running) {
      const n = next
      next += 1
      for (let attempt = 0; !(await startOne(pool[(n + attempt) % 3]!, n)); attempt += 1) await sleep(100)
      await sleep(40)
    }
    await killing
    const [server] = pool
    for (const [n, jobId] of started) {
      const job = await untilTerminal(servers, server!, jobId)
      expect([n, job.exit_code, Object(job.outcome).kind]).toEqual([n, n % 7, "exited"])
      expect(await logOf(servers, server!, jobId)).toBe(`${n}\n`)
    }
    const lines = (await readFile(join(servers.place.root, "ran"), "utf8")).trim().split("\n").map(Number)
    expect(lines.sort((a, b) => a - b)).toEqual([...started.keys()].sort((a, b) => a - b))
    const { output } = await servers.call(server!, "list_jobs", { include_quick: true, limit: 1 })
    expect(output.total).toBe(started.size)
  }, 120_000)
})
