import { request } from "node:http"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { z } from "zod"
import { type DoorUnderTest, startDoor } from "./door-under-test.ts"
import { errorOf } from "./replies.ts"

let door: DoorUnderTest
beforeAll(async () => {
  door = await startDoor()
})
afterAll(() => door.close())

const cancel = (key: string, token = door.token) =>
  door.fetch(`/calls/${encodeURIComponent(key)}`, { method: "DELETE", headers: { Authorization: `Bearer ${token}` } })

async function tokenOf(user: string): Promise<string> {
  const post = (path: string, body: object) =>
    door.fetch(path, { method: "POST", headers: door.headers(), body: JSON.stringify(body) })
  await post("/api/users/add", { name: user })
  const created = await post("/api/tokens/create", { user, name: "t" })
  return z.object({ token: z.string() }).parse(await created.json()).token
}

describe("calls over HTTP, through a real kernel", () => {
  it("D15: an unknown tool is named with what it may have meant", async () => {
    expect(await errorOf(await door.call("list_project", {}))).toMatchObject({
      status: 404,
      kind: "unknown_tool",
      details: { did_you_mean: ["list_projects"], schema_hash: door.schemaHash },
    })
  })

  it("D16: an unknown field and a missing one are both named; the value is in no reply and no log", async () => {
    const response = await door.call("hold_run", { ms: 0, comand: "zq81" })
    expect(await response.clone().text()).not.toContain("zq81")
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      kind: "invalid_arguments",
      details: {
        unknown_fields: ["comand"],
        fields: expect.arrayContaining([{ path: "command", code: "required" }]),
      },
    })
    expect(door.log()).not.toContain("zq81")
  })

  it("D18: a wrapper field that is not offered is unknown; one of the wrong type is invalid", async () => {
    expect(await errorOf(await door.call("list_projects", { ack_session_message_ids: ["wc_msg_x"] }))).toMatchObject({
      kind: "invalid_arguments",
      details: { unknown_fields: ["ack_session_message_ids"] },
    })
    expect(await errorOf(await door.call("list_projects", { recording_session_id: 7 }))).toMatchObject({
      kind: "invalid_arguments",
      details: { field: "recording_session_id" },
    })
  })

  it("answers an operator route with the ToolResult of the tool behind it, refusals included", async () => {
    const post = (path: string, body: object) =>
      door.fetch(path, { method: "POST", headers: door.headers(), body: JSON.stringify(body) })
    expect(await (await post("/api/projects/list", { query: "dem" })).json()).toMatchObject({
      success: true,
      output: { total: 1, projects: [{ project: "demo" }] },
    })
    expect(await errorOf(await post("/api/projects/list", { limit: "zq81" }))).toMatchObject({
      status: 400,
      kind: "invalid_arguments",
      details: { field: "limit" },
    })
    expect(
      await errorOf(await post("/api/workflow-sessions/summary", { session_id: "wc_sess_aaaaaaaaaaaaaaaa" })),
    ).toMatchObject({ status: 404, kind: "unknown_session_id" })
  })

  it("echoes what was applied of Prefer", async () => {
    const response = await door.call("list_projects", {}, { Prefer: "wait=90, max-chars=5" })
    expect([response.status, response.headers.get("preference-applied")]).toEqual([200, "wait=90, max-chars=1000"])
  })

  it("D21: the same key replays the first answer and refuses other content", async () => {
    const key = { "Idempotency-Key": "key-of-d21-0123456" }
    const before = door.trace.entered.length
    const first = await door.call("hold_run", { ms: 0, command: "once" }, key)
    const second = await door.call("hold_run", { ms: 0, command: "once" }, key)
    expect([first.headers.get("idempotency-replayed"), second.headers.get("idempotency-replayed")]).toEqual([
      null,
      "true",
    ])
    expect(await second.text()).toBe(await first.text())
    expect(door.trace.entered.length).toBe(before + 1)
    expect(await errorOf(await door.call("hold_run", { ms: 0, command: "twice" }, key))).toMatchObject({
      status: 409,
      kind: "idempotency_conflict",
    })
    expect(
      await errorOf(await door.call("hold_run", { ms: 0, command: "x" }, { "Idempotency-Key": "short" })),
    ).toMatchObject({
      status: 400,
      kind: "idempotency_key_invalid",
    })
  })

  it("D26: a dropped connection does not touch an execution, which goes on to its end", async () => {
    const entered = door.trace.entered.length
    const aborted = [...door.trace.aborted]
    const body = JSON.stringify({ ms: 700, command: "dropped" })
    const sent = request({
      port: door.port,
      host: "127.0.0.1",
      method: "POST",
      path: "/tools/hold_run",
      headers: { ...door.headers(), "Content-Length": body.length },
    })
    sent.on("error", () => undefined)
    sent.end(body)
    await vi.waitUntil(() => door.trace.entered.length > entered)
    sent.destroy()
    await vi.waitUntil(() => door.trace.finished.includes("dropped"), { timeout: 5_000 })
    expect(door.trace.aborted).toEqual(aborted)
  })

  it("D27: DELETE /calls/{key} cancels the call of its own principal, once, and no other's", async () => {
    const key = "key-of?d27%0123456"
    const entered = door.trace.entered.length
    const running = door.call("hold_run", { ms: 30_000, command: "cancelled" }, { "Idempotency-Key": key })
    await vi.waitUntil(() => door.trace.entered.length > entered)
    const foreign = await cancel(key, await tokenOf("mallory"))
    expect(await errorOf(foreign.clone())).toMatchObject({ status: 404, kind: "call_not_found" })
    const own = await cancel(key)
    expect([own.status, await own.json()]).toEqual([202, { cancelled: true }])
    expect((await running).status).toBe(200)
    expect(door.trace.aborted.at(-1)).toBe("client_cancelled")
    const again = await cancel(key)
    expect(again.status).toBe(404)
    expect(await again.text()).toBe(await foreign.text())
    expect((await cancel("short")).status).toBe(404)
  })

  it("limits a principal's requests and says when to come back", async () => {
    await using limited = await startDoor({ rateLimitPerMinute: 2 })
    const replies = []
    // A window may turn within the test and let two more through; never a sixth.
    for (let at = 0; at < 6; at++) replies.push(await limited.call("list_projects", {}))
    const refused = replies.find((reply) => reply.status === 429)
    expect(refused && (await errorOf(refused))).toMatchObject({ kind: "rate_limited", recovery: "retry_later" })
    expect(refused?.headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/)
  })

  it("D28: while draining, waits answer 200, new calls are refused and health says so", async () => {
    await using ending = await startDoor()
    const waiting = ending.call("hold_wait", { ms: 60_000, command: "wait" })
    await vi.waitUntil(() => ending.trace.entered.includes("hold_wait"))
    const drained = ending.drain()
    const health = await ending.fetch("/health")
    expect([health.status, await health.json()]).toEqual([503, { status: "draining" }])
    expect(await errorOf(await ending.call("list_projects", {}))).toMatchObject({ status: 503, kind: "shutting_down" })
    const answered = await waiting
    expect([answered.status, await answered.json()]).toMatchObject([
      200,
      { success: true, output: { ended: "aborted" } },
    ])
    await drained
  })
})
