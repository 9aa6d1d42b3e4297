import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { ServerProcess } from "../../support/server-process.ts"
import { makeServers, type Servers, until } from "./servers.ts"

async function openShell(servers: Servers, server: ServerProcess): Promise<string> {
  const { success, output, error } = await servers.call(server, "session_create", { transport: "local" })
  expect({ success, error }).toEqual({ success: true, error: undefined })
  return String(output["session_id"])
}

describe("live shells while servers die", () => {
  it("L41: killed in the middle of a command: same id, the real status, every line, and the state it made", async () => {
    await using servers = await makeServers()
    const first = await servers.start()
    const shell = await openShell(servers, first)
    const command = "for i in $(seq 300000); do echo $i; done; exit_code=1; (exit 5)"
    const { output } = await servers.call(first, "session_exec", { session_id: shell, command, sync_wait_secs: 0 })
    expect(output).toMatchObject({ execution_state: "running", promoted_to_job: true })
    await servers.kill(first)
    const second = await servers.start()
    const job = await until(
      async () => (await servers.call(second, "job_status", { job_id: output["job_id"] })).output,
      ({ terminal }) => terminal === true,
      60_000,
    )
    expect(job).toMatchObject({ exit_code: 5, output_gap: false })
    expect(job).toMatchObject({ totals: { stdout: { lines_total: 300_000, dropped_bytes: 0 } } })
    const after = await servers.call(second, "session_exec", { session_id: shell, command: "echo $exit_code" })
    expect(after.output).toMatchObject({ session_id: shell, stdout: "1", exit_code: 0 })
    expect(after.output).not.toHaveProperty("shell_restarted")
    const { output: log } = await servers.call(second, "job_log", {
      job_id: output["job_id"],
      stream: "stdout",
      grep_pattern: "^(1|150000|300000)$",
    })
    expect(Object(log["stdout"]).matches.map(({ text }: { text: string }) => text)).toEqual(["1", "150000", "300000"])
  }, 120_000)

  it("L44: killed right after the reply of a create: every id resolves in the next server", async () => {
    await using servers = await makeServers()
    const ids: string[] = []
    for (let round = 0; round < 5; round += 1) {
      const server = await servers.start()
      ids.push(await openShell(servers, server))
      await servers.kill(server)
    }
    const last = await servers.start()
    for (const id of ids) {
      const { output } = await servers.call(last, "session_exec", { session_id: id, command: `echo ${id}` })
      expect(output).toMatchObject({ stdout: id, exit_code: 0 })
    }
    expect(await servers.hosts()).toHaveLength(1)
  }, 120_000)

  it("a shell that a server left is named in its last line and used by another at the same time", async () => {
    await using servers = await makeServers()
    const [one, two] = [await servers.start(), await servers.start()]
    const shell = await openShell(servers, one)
    await servers.call(one, "session_exec", { session_id: shell, command: "cd /usr; A=7" })
    const there = await servers.call(two, "session_exec", { session_id: shell, command: "pwd; echo $A" })
    expect(there.output).toMatchObject({ stdout: "/usr\n7" })
    expect(await servers.stop(one)).toBe(0)
    expect(one.stderr().trim().split("\n").at(-1)).toContain(shell)
    await sleep(1500)
    const after = await servers.call(two, "session_exec", { session_id: shell, command: "echo $A" })
    expect(after.output).toMatchObject({ stdout: "7" })
  }, 120_000)
})
