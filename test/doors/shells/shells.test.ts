import { access } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { eventually, startSession } from "../../support/mcp/ledger.ts"
import { postFirst, postModern } from "../../support/mcp/raw.ts"
import { startServer, type TestServer } from "../../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A bound shell of a new Session in Project `demo`. */
async function openBound(): Promise<{ project: string; session_id: string; shell_id: string }> {
  const session_id = await startSession(server)
  const { output } = await server.call("open_session_shell", { project: "demo", session_id })
  return { project: "demo", session_id, shell_id: String(output.shell_id) }
}

/** The ToolResult in the answer to `tools/call`. */
async function structured(reply: Response): Promise<unknown> {
  const text = await reply.text()
  const line = text.split("\n").findLast((each) => each.startsWith("data: ") && each.includes("structuredContent"))
  return JSON.parse(line === undefined ? text : line.slice("data: ".length)).result.structuredContent
}

describe("one command through each door", () => {
  it("HTTP, a free shell", async () => {
    const { output } = await server.call("session_create", { transport: "local", cwd: server.root })
    const { session_id } = output
    const ran = await server.call("session_exec", { session_id, command: "A=1; pwd" })
    expect(ran).toMatchObject({ success: true, output: { stdout: server.root, exit_code: 0 } })
    const again = await server.call("session_exec", { session_id, command: "echo $A; exit 3" })
    expect(again.output).toMatchObject({ stdout: "1", exit_code: 3, shell_restarted: { reason: "exited" } })
    expect((await server.call("session_destroy", { session_id })).output).toMatchObject({ destroyed: true })
  })

  it.each([
    ["2026", postModern],
    ["2025", postFirst],
  ] as const)("MCP %s, a bound shell", async (_era, post) => {
    const shell = await openBound()
    const run = async (command: string) =>
      structured(
        await post(server, {
          method: "tools/call",
          params: { name: "session_shell_exec", arguments: { ...shell, command } },
        }),
      )
    expect(await run("B=2; echo $((1 + 1))")).toMatchObject({ success: true, output: { stdout: "2\n", exit_code: 0 } })
    expect(await run("echo $B; false")).toMatchObject({
      success: false,
      error: { kind: "process_exit", details: { exit_code: 1 } },
      output: { stdout: "2\n" },
    })
  })
})

it("L51: a client that cancels ends its command, and the shell goes on", async () => {
  const shell = await openBound()
  const file = join(server.root, "F")
  const leaving = new AbortController()
  const call = {
    method: "tools/call",
    params: { name: "session_shell_exec", arguments: { ...shell, command: "C=3; sleep 30; touch F" } },
  }
  const reply = postModern(server, call, { signal: leaving.signal }).then((response) => response.text())
  const status = async () =>
    (await server.call("session_shell_status", { project: "demo", session_id: shell.session_id })).output
  const busy = await eventually(5000, status, (output) => output.busy === true)
  await new Promise((resolve) => setTimeout(resolve, 500))
  leaving.abort()
  await expect(reply).rejects.toThrow()
  await eventually(5000, status, (output) => output.busy === false)
  const job_id = String(Reflect.get(Object(busy.running), "job_id"))
  const log = await eventually(
    5000,
    async () => (await server.call("job_log", { job_id })).output,
    (output) => output.terminal === true,
  )
  expect(log).toMatchObject({ outcome: { kind: "cancelled", by: "caller" } })
  const ran = await server.call("session_shell_exec", { ...shell, command: "echo $C" })
  expect(ran).toMatchObject({ success: true, output: { stdout: "3\n" } })
  expect(ran.output.shell_restarted).toBeUndefined()
  expect(await exists(file)).toBe(false)
})
