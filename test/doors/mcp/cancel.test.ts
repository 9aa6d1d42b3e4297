import { PassThrough } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serveMcpStdio } from "../../../adapters/mcp/index.ts"
import { stdioCaller } from "../../../core/access/callers.ts"
import { mcpDoorDeps } from "../../../server/compose/mcp-door-deps.ts"
import { eventsOf, eventually, startSession } from "../../support/mcp/ledger.ts"
import { postFirst, postModern } from "../../support/mcp/raw.ts"
import { startServer, type TestServer } from "../../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const running = (session_id: string) => ({
  method: "tools/call",
  params: { name: "run_shell", arguments: { project: "demo", session_id, command: "sleep 30" } },
})

const finished = (sessionId: string, ms: number) =>
  eventually(
    ms,
    () => eventsOf(server, sessionId),
    (events) => events.some((event) => event.kind === "tool_call_finished"),
  )

const started = (sessionId: string) =>
  eventually(
    5_000,
    async () => (await server.call("runtime_status")).output.counts,
    (counts) => JSON.stringify(counts).includes('"jobs_active":1') && sessionId !== "",
  )

describe("D48: a call that its client no longer wants", () => {
  it.each([
    ["2026", postModern, "application/json, text/event-stream"],
    ["2026, plain JSON", postModern, "application/json"],
    ["2025", postFirst, "application/json, text/event-stream"],
  ] as const)("ends when its stream is closed (%s)", async (_era, post, accept) => {
    const sessionId = await startSession(server)
    const leaving = new AbortController()
    const reply = post(server, running(sessionId), { signal: leaving.signal, headers: { Accept: accept } })
    const read = reply.then((response) => response.text())
    await started(sessionId)
    leaving.abort()
    await expect(read).rejects.toThrow()
    const [event] = await finished(sessionId, 5_000)
    expect(event).toMatchObject({ status: "failed", error: { kind: "cancelled" } })
    expect(event?.evidence?.execution_state).toBe("cancelled")
  })

  it("goes on in 2025 after a notification, which cannot be tied to a request", async () => {
    const sessionId = await startSession(server)
    const leaving = new AbortController()
    const reply = postFirst(server, { ...running(sessionId), id: 7 }, { signal: leaving.signal }).then((r) => r.text())
    await started(sessionId)
    const cancel = { method: "notifications/cancelled", params: { requestId: 7 } }
    const sent = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${server.token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...cancel }),
    })
    expect(sent.status).toBe(202)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const kinds = (await eventsOf(server, sessionId)).map((event) => event.kind)
    expect(kinds).not.toContain("tool_call_finished")
    leaving.abort()
    await expect(reply).rejects.toThrow()
    await finished(sessionId, 5_000)
  })

  it("is answered normally where the reply was read: an ended exchange cancels nothing", async () => {
    const sessionId = await startSession(server)
    const call = { name: "run_shell", arguments: { project: "demo", session_id: sessionId, command: "echo ok" } }
    await (await postModern(server, { method: "tools/call", params: call })).text()
    await (await postFirst(server, { method: "tools/call", params: call })).text()
    const events = await eventsOf(server, sessionId)
    const ends = events.filter((event) => event.kind === "tool_call_finished")
    expect(ends.map((event) => event.status)).toEqual(["succeeded", "succeeded"])
  })
})

describe("end of input on stdio", () => {
  it("lets a running command go on as a Job: gone is no wish to stop", async () => {
    const sessionId = await startSession(server)
    const stdin = new PassThrough()
    const stdout = new PassThrough()
    const door = serveMcpStdio(mcpDoorDeps(server.runtime), {
      caller: stdioCaller(),
      surface: "coding",
      stdin,
      stdout,
      onFault: () => undefined,
    })
    const args = { project: "demo", session_id: sessionId, command: "sleep 2; echo went on > went-on" }
    const init = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "0" } }
    const say = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    say({ id: 1, method: "initialize", params: init })
    say({ method: "notifications/initialized" })
    say({ id: 2, method: "tools/call", params: { name: "run_shell", arguments: args } })
    await started(sessionId)
    stdin.end()
    await door.ended
    const [event] = await finished(sessionId, 8_000)
    expect(event).toMatchObject({ status: "succeeded" })
    await door.close()
  })
})
