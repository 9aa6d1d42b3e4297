import type { Client } from "@modelcontextprotocol/client"
import type { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { z } from "zod"
import { defineTool } from "../../../core/kernel/definition.ts"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { textSchema } from "../../../core/kernel/text-schema.ts"
import { connectClient, connectFirstClient } from "../../support/mcp/clients.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { TEST_TOOL_DEFAULTS, testTool } from "../../support/test-tool.ts"

const seen: unknown[] = []
/** Takes a Session of its own and tells what reached it. */
const witness = defineTool({
  ...TEST_TOOL_DEFAULTS,
  name: "t_witness",
  surfaces: ["coding"],
  target: { project: "none", session: "optional", chat: "none" },
  input: z.strictObject({ session_id: sessionIdSchema.optional().describe("Session.") }),
  output: z.object({ recorder: textSchema(0, 80), session: textSchema(0, 80) }),
  async handler(input, call) {
    seen.push(input)
    return { recorder: call.recorder ?? "", session: call.session?.sessionId ?? "" }
  },
})

let server: TestServer
let client: Client
let first: FirstClient
beforeAll(async () => {
  server = await startServer({ tools: [witness] })
  client = await connectClient(server)
  first = await connectFirstClient(server)
})
afterAll(async () => {
  await client.close()
  await first.close()
  await server.close()
})

const startSession = async (): Promise<string> =>
  String((await server.call("start_session", { project: "demo" })).output.session_id)

const textOf = (content: unknown, at = 0): unknown =>
  JSON.parse(z.array(z.object({ text: z.string() })).parse(content)[at]?.text ?? "")

describe("tools/call", () => {
  it("D40: the recorder is taken off; the tool sees its own Session alone", async () => {
    const [recorder, business] = [await startSession(), await startSession()]
    const args = { recording_session_id: recorder, session_id: business }
    const reply = await client.callTool({ name: "t_witness", arguments: args })
    expect(reply.structuredContent).toMatchObject({ output: { recorder, session: business } })
    expect(seen).toEqual([{ session_id: business }])
    const roles = async (id: string) => {
      const { events } = z
        .object({ events: z.array(z.object({ kind: z.string(), role: z.string().optional(), door: z.string() })) })
        .parse((await server.call("session_summary", { session_id: id })).output)
      return events.filter((event) => event.role !== undefined).map(({ role, door }) => `${role} ${door}`)
    }
    expect(await roles(recorder)).toEqual(["recorder mcp", "recorder mcp"])
    expect(await roles(business)).toEqual(["business mcp", "business mcp"])
  })

  it("D41: bad arguments are a result whose text is its structure", async () => {
    const args = { project: "demo", comand: "zq81" }
    const reply = await client.callTool({ name: "run_shell", arguments: args })
    expect(reply.isError).toBe(true)
    expect(reply.structuredContent).toMatchObject({ success: false, error: { kind: "invalid_arguments" } })
    expect(textOf(reply.content)).toEqual(reply.structuredContent)
    expect(JSON.stringify(reply)).not.toContain("zq81")
  })

  it("a wrapper field of newer clients is an unknown field for older ones", async () => {
    const call = { name: "list_projects", arguments: { ack_session_message_ids: [] } }
    expect((await client.callTool(call)).structuredContent).toMatchObject({ success: true })
    expect((await first.callTool(call)).structuredContent).toMatchObject({
      error: { kind: "invalid_arguments", details: { unknown_fields: ["ack_session_message_ids"] } },
    })
  })

  it.each(["context_request", "chat_session_id"])(
    "a wrapper field whose domain is not here is an unknown field: %s",
    async (field) => {
      for (const each of [client, first]) {
        const reply = await each.callTool({ name: "list_projects", arguments: { [field]: [] } })
        expect(reply.structuredContent).toMatchObject({
          error: { kind: "invalid_arguments", details: { unknown_fields: [field] } },
        })
      }
    },
  )

  it("D41: an unknown tool is a protocol error with what helps; missing arguments are none", async () => {
    await expect(client.callTool({ name: "list_project" })).rejects.toMatchObject({
      code: -32602,
      data: { kind: "unknown_tool", did_you_mean: ["list_projects"], schema_hash: server.runtime.schemaHash() },
    })
    const reply = await client.callTool({ name: "list_projects" })
    expect(reply.structuredContent).toMatchObject({ success: true, output: { total: 1 } })
    expect(reply._meta?.["holdfast/request-id"]).toBeTypeOf("string")
  })

  it("sends sidecars as a second text, not in the first", async () => {
    const { structuredContent, content } = await client.callTool({
      name: "run_shell",
      arguments: { project: "demo", command: "true" },
    })
    const { attached, ...bare } = z.looseObject({ attached: z.looseObject({}) }).parse(structuredContent)
    expect(textOf(content)).toEqual(bare)
    expect(textOf(content, 1)).toEqual({ attached })
    expect(attached).toHaveProperty("permission")
  })

  it("K19: a gateway is the inner call, in the reply and in the ledger", async () => {
    const session_id = await startSession()
    const status = JSON.stringify({ project: "demo", session_id })
    const outer = await client.callTool({
      name: "call_read_tool",
      arguments: { tool: "git_status", arguments_json: status },
    })
    const direct = await server.call("git_status", { project: "demo", session_id })
    expect(z.object({ output: z.unknown() }).parse(outer.structuredContent).output).toEqual(direct.output)
    const summary = await server.call("session_summary", { session_id })
    expect(JSON.stringify(summary.output)).not.toContain("call_read_tool")
    const kindOf = async (name: string, args: object) =>
      z
        .object({ error: z.object({ kind: z.string() }) })
        .parse((await client.callTool({ name, arguments: { ...args } })).structuredContent).error.kind
    expect(await kindOf("call_read_tool", { tool: "run_shell", arguments_json: "{}" })).toBe("effect_not_allowed")
    expect(await kindOf("call_tool", { tool: "call_tool" })).toBe("unknown_tool")
    expect(await kindOf("call_tool", { tool: "list_projects", arguments_json: "[]" })).toBe("invalid_arguments")
  })
})

describe("official clients check replies against the advertised schema", () => {
  const SAME = { kind: "replace_exact", old_text: "alpha", new_text: "alpha" }
  const good: Readonly<Record<string, () => Promise<object>>> = {
    list_tools: async () => ({}),
    tool_manifest: async () => ({ tool_name: "read_files" }),
    list_projects: async () => ({}),
    post_session_message: async () => ({ session_id: await startSession(), kind: "note", message: "x" }),
    observe_session_messages: async () => ({ session_id: await startSession() }),
    complete_session_message: async () => await todoToComplete(),
    work_on_project: async () => ({ project: "demo", instruction: "Look around." }),
    run_shell: async () => ({ project: "demo", command: "echo ok" }),
    run_process: async () => ({ project: "demo", executable: "true" }),
    run_job: async () => ({ project: "demo", command: "echo ok" }),
    open_session_shell: async () => ({ project: "demo", session_id: await startSession() }),
    session_shell_exec: async () => await boundCommand(),
    job_log: async () => ({ job_id: await startedJob() }),
    observe_jobs: async () => ({ items: [{ job_id: await startedJob() }] }),
    stop_job: async () => ({ job_id: await startedJob(), confirm: true }),
    project_overview: async () => ({ project: "demo" }),
    read_files: async () => ({ project: "demo", items: [{ path: "notes.txt" }] }),
    search_project_texts: async () => ({ project: "demo", queries: [{ pattern: "beta" }] }),
    apply_text_edits: async () => ({
      project: "demo",
      changes: [{ kind: "edit", path: "notes.txt", edits: [SAME] }],
    }),
    git_diff: async () => ({ project: "demo" }),
    call_read_tool: async () => ({ tool: "git_status", arguments_json: '{"project":"demo"}' }),
    call_tool: async () => ({ tool: "start_session", arguments_json: '{"project":"demo"}' }),
  }
  const todoToComplete = async () => {
    const session_id = await startSession()
    const { output } = await server.call("post_session_message", { session_id, kind: "todo", message: "x" })
    const todo = { session_id, message_id: output.message_id }
    const assignment = await server.call("get_session_assignment", todo)
    const fence = assignment.output.assignment_fence
    return { ...todo, answer: "x", completion_key: "k", expected_assignment_fence: fence }
  }
  const boundCommand = async () => {
    const shell = { project: "demo", session_id: await startSession() }
    const { output } = await server.call("open_session_shell", shell)
    return { ...shell, shell_id: output.shell_id, command: "echo ok" }
  }
  const startedJob = async () =>
    String((await server.call("run_shell", { project: "demo", command: "echo ok" })).output.job_id)

  it("D42: every coding tool, once well and once badly, through both", async () => {
    const { tools } = await client.listTools()
    await first.listTools()
    const own = tools.filter(({ name }) => name !== "t_witness")
    expect(own.map(({ name }) => name).sort()).toEqual(Object.keys(good).sort())
    for (const { name } of own) {
      const args = await good[name]?.()
      for (const each of [client, first]) {
        const well = await each.callTool({ name, arguments: { ...args } })
        expect(well.structuredContent, name).toMatchObject({ success: true })
        const badly = await each.callTool({ name, arguments: { bogus: 1 } })
        expect(badly.structuredContent, name).toMatchObject({ success: false })
      }
    }
  })

  it("D43: an output gains a field while a client holds the old list", async () => {
    const changed = (gained: object) =>
      testTool({
        name: "t_changed",
        surfaces: ["coding"],
        output: z.object({ text: textSchema(0, 20), ...("gained" in gained ? { gained: z.boolean() } : {}) }),
        handler: async () => ({ text: "ok", ...gained }),
      })
    const config = { output_schemas: "exact" }
    const before = await startServer({ tools: [changed({})], config })
    const after = await startServer({ tools: [changed({ gained: true })], config })
    const routed: typeof fetch = (input, init) => fetch(String(input).replace(before.url, target()), init)
    let target = () => before.url
    const headers = { Authorization: `Bearer ${before.token}` }
    const old = await connectClient(before, { fetch: (input, init) => routed(input, withToken(init)) })
    function withToken(init: RequestInit | undefined): RequestInit {
      const token = target() === before.url ? before.token : after.token
      const sent = new Headers(init?.headers ?? headers)
      sent.set("Authorization", `Bearer ${token}`)
      return { ...init, headers: sent }
    }
    await old.listTools()
    target = () => after.url
    const reply = await old.callTool({ name: "t_changed", arguments: {} })
    expect(reply.structuredContent).toMatchObject({ success: true, output: { text: "ok", gained: true } })
    await old.close()
    await before.close()
    await after.close()
  })
})
