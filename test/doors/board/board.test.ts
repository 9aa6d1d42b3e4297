import path from "node:path"
import Sqlite from "better-sqlite3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createAccounts } from "../../../core/access/accounts.ts"
import { credentialIdSchema } from "../../../core/kernel/ids.ts"
import { connectClient, connectFirstClient } from "../../support/mcp/clients.ts"
import { startServer, type TestServer, type ToolAnswer } from "../../support/server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const startSession = async (): Promise<string> =>
  String((await server.call("start_session", { project: server.project })).output.session_id)

async function post(session_id: string, more: object = {}): Promise<string> {
  const { output } = await server.call("post_session_message", { session_id, kind: "note", message: "x", ...more })
  return String(output.message_id)
}

async function baseline(session_id: string): Promise<string> {
  return String((await server.call("observe_session_messages", { session_id })).output.observation_token)
}

/** A ToolResult out of an MCP result. */
const answerOf = (result: object): ToolAnswer =>
  "structuredContent" in result ? JSON.parse(JSON.stringify(result.structuredContent)) : expect.fail("no ToolResult")

describe("acknowledging", () => {
  it("M17, M20: MCP 2026 takes the ids off and shows whole texts; MCP 2025 and HTTP know no such field and cut", async () => {
    const session = await startSession()
    const m = await post(session, { requires_ack: true, message: "a".repeat(4000) })
    await post(session, { requires_ack: true, message: "b".repeat(100) })
    const recorded = { limit: 1, recording_session_id: session }
    const client = await connectClient(server)
    const first = await connectFirstClient(server)
    const call = async (ids?: readonly string[]) =>
      answerOf(
        await client.callTool({
          name: "list_tools",
          arguments: { ...recorded, ...(ids === undefined ? {} : { ack_session_message_ids: ids }) },
        }),
      )
    expect((await call()).attached?.session_attention).toMatchObject({
      messages: [{ message: "a".repeat(3072), message_truncated: true }],
      omitted_count: 1,
    })
    expect((await call([m, m])).attached?.session_attention).toMatchObject({
      messages: [{ message: "b".repeat(100) }],
      ack: { accepted_count: 1, ignored_count: 0 },
    })
    const cut = {
      messages: [
        { message: "a".repeat(240), message_truncated: true },
        { message: "b".repeat(100), message_truncated: false },
      ],
      omitted_count: 0,
    }
    const old = answerOf(await first.callTool({ name: "list_tools", arguments: recorded }))
    expect(old.attached?.session_attention).toMatchObject(cut)
    expect((await server.call("list_tools", recorded)).attached?.session_attention).toMatchObject(cut)
    const given = { ...recorded, ack_session_message_ids: [m] }
    for (const refused of [
      answerOf(await first.callTool({ name: "list_tools", arguments: given })),
      await server.call("list_tools", given),
    ])
      expect(refused.error).toMatchObject({
        kind: "invalid_arguments",
        details: { unknown_fields: ["ack_session_message_ids"] },
      })
    await client.close()
    await first.close()
  })

  it("K42: MCP 2026 takes nine ids of which two are equal, not nine distinct ones; HTTP knows no context_request", async () => {
    const session = await startSession()
    const nine = [..."ABCDEFGHI"].map((letter) => `wc_msg_${letter.repeat(16)}`)
    const client = await connectClient(server)
    const call = async (ids: readonly string[]) =>
      answerOf(
        await client.callTool({
          name: "list_tools",
          arguments: { recording_session_id: session, ack_session_message_ids: ids },
        }),
      )
    expect(await call(nine)).toMatchObject({
      success: false,
      error: { kind: "invalid_arguments", details: { field: "ack_session_message_ids" } },
    })
    expect(await call([...nine.slice(0, 8), nine[0] ?? ""])).toMatchObject({
      success: true,
      attached: { session_attention: { ack: { accepted_count: 0, ignored_count: 8 } } },
    })
    expect(await server.call("list_tools", { context_request: ["memory"] })).toMatchObject({
      error: { kind: "invalid_arguments", details: { unknown_fields: ["context_request"] } },
    })
    await client.close()
  })

  it("the gateways take the field beside the tool, and the inner tool's reply shows the board", async () => {
    const session = await startSession()
    const m = await post(session, { requires_ack: true })
    const client = await connectClient(server)
    const result = await client.callTool({
      name: "call_read_tool",
      arguments: {
        tool: "session_discussion_summary",
        arguments_json: JSON.stringify({ session_id: session }),
        recording_session_id: session,
        ack_session_message_ids: [m],
      },
    })
    expect(answerOf(result)).toMatchObject({
      success: true,
      output: { counts: { ack_required_open: 1 } },
      attached: { session_attention: { ack: { accepted_count: 1 } } },
    })
    await client.close()
  })
})

describe("waiting", () => {
  it("M13, M14: waits over MCP and HTTP wake for a post and end when the Session closes", async () => {
    const session_id = await startSession()
    const client = await connectClient(server)
    const wait = (token: string) => {
      const input = { session_id, after_observation_token: token, wait_secs: 30 }
      return [
        client.callTool({ name: "observe_session_messages", arguments: input }).then(answerOf),
        server.call("observe_session_messages", input),
      ]
    }
    const first = wait(await baseline(session_id))
    await later(300)
    const id = await post(session_id)
    for (const { output } of await Promise.all(first))
      expect(output).toMatchObject({ wait_outcome: "updated", messages: [{ message_id: id }] })
    const second = wait(await baseline(session_id))
    await later(300)
    await server.call("close_session", { session_id })
    for (const { output } of await Promise.all(second))
      expect(output).toMatchObject({ wait_outcome: "session_closed", lifecycle: "closed", changed: false })
    await client.close()
  })

  /** A user with her own token and Session, waiting on its board. */
  const change = (sql: string, ...values: readonly unknown[]): void => {
    const database = new Sqlite(path.join(server.dataDir, "holdfast.db"))
    database.prepare(sql).run(...values)
    database.close()
  }

  async function aliceWaits(name: string, lifeMs?: number) {
    const accounts = createAccounts(server.runtime)
    await accounts.addUser({ name, scopes: ["runtime:read", "project:read", "session:collaborate"], projects: ["*"] })
    const { token, credential } = await accounts.createToken({
      user: name,
      name: "t",
      scopes: ["runtime:read", "project:read", "session:collaborate"],
    })
    if (lifeMs !== undefined)
      change("update credentials set expires_at = ? where id = ?", Date.now() + lifeMs, credential.id)
    const headers = { Authorization: `Bearer ${token}` }
    const { output } = await server.call("start_session", { project: server.project }, headers)
    const session_id = String(output.session_id)
    const seen = await server.call("observe_session_messages", { session_id }, headers)
    const input = { session_id, after_observation_token: seen.output.observation_token, wait_secs: 30 }
    const wait = server.call("observe_session_messages", input, headers)
    await later(300)
    return { accounts, credential, wait }
  }

  it("M15: who loses access to the Project gets no content out of a wait", async () => {
    const { wait } = await aliceWaits("alice")
    change(`update users set projects_json = '["elsewhere"]' where name = 'alice'`)
    const answer = await wait
    expect(answer).toMatchObject({ success: false, error: { kind: "project_not_found" } })
    expect(answer.output).toBeUndefined()
  })

  it("a credential that is revoked ends its waits within 5 s", async () => {
    const { accounts, credential, wait } = await aliceWaits("carol")
    const before = performance.now()
    await accounts.revokeToken({ id: credentialIdSchema.parse(credential.id) })
    expect(await wait).toMatchObject({
      success: false,
      error: { kind: "unauthenticated", details: { reason: "revoked" } },
    })
    expect(performance.now() - before).toBeLessThan(5000)
  })

  it("a credential that expires ends its waits then, with nothing else happening", async () => {
    const before = performance.now()
    const { wait } = await aliceWaits("dora", 2500)
    expect(await wait).toMatchObject({
      success: false,
      error: { kind: "unauthenticated", details: { reason: "expired" } },
    })
    const took = performance.now() - before
    expect(took).toBeGreaterThanOrEqual(2400)
    expect(took).toBeLessThan(10_000)
  })
})

describe("what is posted", () => {
  it("M-I8: is served equal to its trimmed text through every door", async () => {
    const session_id = await startSession()
    const client = await connectClient(server)
    const first = await connectFirstClient(server)
    const texts = ["  plain\n", "😀 ünïcode \t tab", 'quotes " and \\ back', "line\r\nends", "<b>&amp;</b>"]
    const arguments_ = (text: string) => ({ session_id, kind: "note", message: text })
    for (const text of texts) {
      await client.callTool({ name: "post_session_message", arguments: arguments_(text) })
      await first.callTool({ name: "post_session_message", arguments: arguments_(text) })
      await server.call("post_session_message", arguments_(text))
    }
    const wanted = texts.flatMap((text) => [text.trim(), text.trim(), text.trim()])
    const listing = { tool: "list_session_messages", arguments_json: JSON.stringify({ session_id, limit: 100 }) }
    for (const { output } of [
      answerOf(await client.callTool({ name: "call_read_tool", arguments: listing })),
      answerOf(await first.callTool({ name: "call_read_tool", arguments: listing })),
      await server.call("list_session_messages", { session_id, limit: 100 }),
    ]) {
      const messages: { message: string }[] = JSON.parse(JSON.stringify(output.messages))
      expect(messages.map(({ message }) => message).reverse()).toEqual(wanted)
    }
    await client.close()
    await first.close()
  })
})
