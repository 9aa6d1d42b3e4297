import { describe, expect, it } from "vitest"
import type { ServerProcess } from "../../support/server-process.ts"
import { killProcess, makeServers, type Servers, until } from "../host/servers.ts"

async function openShell(servers: Servers, server: ServerProcess): Promise<string> {
  const { success, output, error } = await servers.call(server, "session_create", { transport: "local" })
  expect({ success, error }).toEqual({ success: true, error: undefined })
  return String(output["session_id"])
}

async function killHost(servers: Servers): Promise<void> {
  const pids = await servers.hosts()
  expect(pids).toHaveLength(1)
  for (const pid of pids) killProcess(pid)
  await until(servers.hosts, (alive) => alive.every((pid) => !pids.includes(pid)))
}

const endOf = (servers: Servers, server: ServerProcess, jobId: unknown) =>
  until(
    async () => (await servers.call(server, "job_status", { job_id: jobId })).output,
    ({ terminal }) => terminal === true,
    30_000,
  )

describe("live shells while hosts die", () => {
  it("L42: server and host killed during a command: its real status, and the shell is as it left it", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const shell = await openShell(servers, first)
    const command = "A=1; sleep 2; A=2; (exit 6)"
    const { output } = await servers.call(first, "session_exec", { session_id: shell, command, sync_wait_secs: 0 })
    expect(output).toMatchObject({ execution_state: "running" })
    await servers.kill(first)
    await killHost(servers)
    const second = await servers.start()
    const job = await endOf(servers, second, output["job_id"])
    expect(job).toMatchObject({ exit_code: 6, output_gap: true })
    const after = await servers.call(second, "session_exec", { session_id: shell, command: "echo $A" })
    expect(after.output).toMatchObject({ session_id: shell, stdout: "2", exit_code: 0 })
    expect(after.output).not.toHaveProperty("shell_restarted")
  }, 120_000)

  it("L43: host killed while idle: the next command is in the same process", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    const shell = await openShell(servers, server)
    const before = await servers.call(server, "session_exec", { session_id: shell, command: "A=kept; echo $$" })
    await killHost(servers)
    const after = await servers.call(server, "session_exec", { session_id: shell, command: "echo $$; echo $A >&2" })
    expect(after.output).toMatchObject({ stdout: before.output["stdout"], stderr: "kept", exit_code: 0 })
    expect(after.output).not.toHaveProperty("shell_restarted")
    expect(await servers.hosts()).toHaveLength(1)
  }, 120_000)

  it("host killed under a call that waits: the call answers with the command's real end", async () => {
    await using servers = await makeServers()
    const server = await servers.start()
    const shell = await openShell(servers, server)
    const waiting = servers.call(server, "session_exec", { session_id: shell, command: "sleep 2; (exit 3)" })
    await until(
      async () => (await servers.call(server, "session_list", {})).output,
      ({ sessions }) => Array.isArray(sessions) && sessions.some((one) => Object(one).busy === true),
    )
    await killHost(servers)
    const { success, output } = await waiting
    expect({ success, code: output["exit_code"], gap: output["output_gap"] }).toEqual({
      success: true,
      code: 3,
      gap: true,
    })
  }, 120_000)
})
