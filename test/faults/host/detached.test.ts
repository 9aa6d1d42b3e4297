import { describe, expect, it } from "vitest"
import { runHoldfast } from "../../doors/cli/run-holdfast.ts"
import { has, openEvents, textOf } from "../../doors/watch/event-source.ts"
import type { ServerProcess } from "../../support/server-process.ts"
import { killProcess, makeServers, type Servers, until } from "./servers.ts"

async function startDetached(servers: Servers, server: ServerProcess, text: string): Promise<unknown> {
  const { success, output, error } = await servers.call(server, "run_detached_process", {
    project: "demo",
    executable: "python3",
    args: ["-c", text],
    idempotency_key: text,
  })
  expect({ success, error }).toEqual({ success: true, error: undefined })
  return output["job_id"]
}

async function untilTerminal(servers: Servers, server: ServerProcess, jobId: unknown) {
  return until(
    async () => (await servers.call(server, "job_status", { job_id: jobId })).output,
    ({ terminal }) => terminal === true,
    40_000,
  )
}

const TAIL = 'import sys,time; print("head",flush=True); time.sleep(3); print("tail"); sys.exit(4)'

describe("detached Jobs", () => {
  it("J16: server and shared host killed: the exit status and every byte are there", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    await servers.call(first, "run_shell", { project: "demo", command: "true" })
    const [shared] = await servers.hosts()
    const jobId = await startDetached(servers, first, TAIL)
    expect(await servers.hosts()).toHaveLength(2)
    await servers.kill(first)
    killProcess(shared!)
    const second = await servers.start()
    const job = await untilTerminal(servers, second, jobId)
    expect(job).toMatchObject({ kind: "detached", status: "failed", exit_code: 4, output_gap: false })
    const { output } = await servers.call(second, "job_log", { job_id: jobId, stream: "stdout" })
    expect(Object(output["stdout"]).text).toBe("head\ntail\n")
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 1,
    )
  }, 90_000)

  it("whoever follows it is told what it writes as it comes, every byte once", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    await using stream = await openEvents(server.url, { token: server.token })
    const text =
      'import sys,time\nfor i in range(4):\n print("líne",i,flush=True); time.sleep(0.4)\nsys.stderr.write("end")'
    const jobId = await startDetached(servers, server, text)
    const events = await stream.until((all) => has(all, "command_ended", jobId))
    expect(textOf(events, jobId)).toBe("líne 0\nlíne 1\nlíne 2\nlíne 3\n")
    expect(textOf(events, jobId, "stderr")).toBe("end")
    const own = events.filter(({ event, data }) => event === "output" && data["job_id"] === jobId)
    expect(own.length).toBeGreaterThan(2)
  }, 90_000)

  it("is watched, read and stopped like any Job, and its host goes with it", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    const jobId = await startDetached(servers, server, 'import time; print("on",flush=True); time.sleep(60)')
    const seen = await servers.call(server, "observe_jobs", { items: [{ job_id: jobId }], wait_secs: 5 })
    expect(seen.output).toMatchObject({ results: [{ ok: true, job_id: jobId, status: "running" }] })
    const stopped = await servers.call(server, "stop_job", { job_id: jobId, confirm: true })
    expect(stopped.output).toMatchObject({ status: "stopped", survivors: [] })
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 1,
    )
  }, 90_000)

  it("ends while no server lives: its host goes, and the next server has the true end and every byte", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const jobId = await startDetached(servers, first, TAIL)
    expect(await servers.stop(first)).toBe(0)
    await until(
      () => servers.hosts(),
      (hosts) => hosts.length === 0,
      15_000,
    )
    const next = await servers.start()
    const job = await untilTerminal(servers, next, jobId)
    expect(job).toMatchObject({ kind: "detached", status: "failed", exit_code: 4, output_gap: false })
    const { output } = await servers.call(next, "job_log", { job_id: jobId, stream: "stdout" })
    expect(Object(output["stdout"]).text).toBe("head\ntail\n")
  }, 90_000)

  it("holdfast stop names it as going on; stop --all ends it; the end of a server does not", async () => {
    await using servers = await makeServers()
    const server = await servers.start(["--processes-on-shutdown", "end"])
    const jobId = await startDetached(servers, server, "import time; time.sleep(60)")
    expect(await servers.stop(server)).toBe(0)
    const named = await runHoldfast(servers.place, ["stop"])
    expect(named.stdout).toContain(`Goes on: detached Job ${jobId}`)
    const ended = await runHoldfast(servers.place, ["stop", "--all"])
    expect(ended.stdout).toBe(`Ended Job ${jobId}\n`)
    const next = await servers.start()
    expect(await untilTerminal(servers, next, jobId)).toMatchObject({ outcome: { kind: "cancelled", by: "shutdown" } })
  }, 90_000)
})
