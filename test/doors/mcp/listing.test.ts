import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createAccounts } from "../../../core/access/accounts.ts"
import { connectClient, connectFirstClient } from "../../support/mcp/clients.ts"
import { startServer, type TestServer } from "../../support/server.ts"

/** The catalogue of this build on surface `coding`, pinned: order is what hosts show. */
const CODING = [
  "list_tools",
  "tool_manifest",
  "list_projects",
  "post_session_message",
  "observe_session_messages",
  "complete_session_message",
  "work_on_project",
  "run_process",
  "run_shell",
  "run_job",
  "job_log",
  "observe_jobs",
  "stop_job",
  "open_session_shell",
  "session_shell_exec",
  "project_overview",
  "read_files",
  "search_project_texts",
  "apply_text_edits",
  "git_diff",
  "call_read_tool",
  "call_tool",
]
const READ = ["runtime:read", "project:read"] as const
const HINTS = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"]

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const names = (tools: readonly { readonly name: string }[]) => tools.map((tool) => tool.name)

describe("tools/list", () => {
  it("D38: an official client that negotiates by itself gets 2026-07-28 and the whole catalogue", async () => {
    const client = await connectClient(server)
    const listed = await client.listTools()
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28")
    expect(names(listed.tools)).toEqual(CODING)
    expect(listed.tools.every((tool) => "ack_session_message_ids" in (tool.inputSchema.properties ?? {}))).toBe(true)
    for (const tool of listed.tools) {
      const { annotations = {} } = tool
      expect(Object.keys(annotations).sort(), tool.name).toEqual(HINTS)
      expect(Object.values(annotations).every((hint) => typeof hint === "boolean")).toBe(true)
      expect(tool.title).toBeTypeOf("string")
      expect(tool.outputSchema).toMatchObject({ type: "object", required: ["success"] })
    }
    expect(listed).toMatchObject({ ttlMs: 300_000, cacheScope: "private" })
    expect(listed._meta?.["holdfast/schema-hash"]).toBe(server.runtime.schemaHash())
    expect(listed.nextCursor).toBeUndefined()
    expect(Buffer.byteLength(JSON.stringify(listed.tools))).toBeLessThan(40_000)
    await client.close()
  })

  it("D39: a client of 2025-06-18 sees the same names, nothing of 2026", async () => {
    const replies: unknown[] = []
    const recording: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      replies.push(await response.clone().text())
      return response
    }
    const client = await connectFirstClient(server, { fetch: recording })
    const listed = await client.listTools()
    expect(names(listed.tools)).toEqual(CODING)
    const text = JSON.stringify(listed)
    for (const absent of ["ack_session_message_ids", "context_request"]) expect(text).not.toContain(absent)
    const raw = replies.join("\n")
    expect(raw).toContain('"protocolVersion":"2025-06-18"')
    for (const absent of ["resultType", "ttlMs", "cacheScope"]) expect(raw).not.toContain(absent)
    await client.close()
  })

  it("leaves out what the credential's scopes can never call, and refuses it all the same", async () => {
    const accounts = createAccounts(server.runtime)
    await accounts.addUser({ name: "reader", scopes: [...READ], projects: ["*"] })
    const { token } = await accounts.createToken({ user: "reader", name: "t", scopes: [...READ] })
    const client = await connectClient({ url: server.url, token })
    const listed = names((await client.listTools()).tools)
    expect(listed).toContain("read_files")
    expect(listed).toContain("call_tool")
    expect(listed).not.toContain("run_shell")
    const refused = await client.callTool({ name: "run_shell", arguments: {} })
    expect(refused.structuredContent).toMatchObject({ error: { kind: "insufficient_scope" } })
    await client.close()
  })

  it("K18: a surface decides what its endpoint knows; HTTP knows every tool", async () => {
    const client = await connectClient(server, { path: "/mcp/shell" })
    expect(names((await client.listTools()).tools)).not.toContain("read_files")
    const args = { project: "demo", items: [{ path: "notes.txt" }] }
    await expect(client.callTool({ name: "read_files", arguments: args })).rejects.toMatchObject({
      code: -32602,
      data: { kind: "unknown_tool", surfaces: ["coding", "full"] },
    })
    expect(await server.call("read_files", args)).toMatchObject({ success: true })
    await client.close()
  })

  it("shows exact outputs where that is configured", async () => {
    await using exact = await startServer({ config: { output_schemas: "exact" } })
    const client = await connectClient(exact)
    const { tools } = await client.listTools()
    const read = tools.find((tool) => tool.name === "read_files")
    expect(read?.outputSchema).toMatchObject({ properties: { output: { properties: { items: { type: "array" } } } } })
    await client.close()
  })
})
