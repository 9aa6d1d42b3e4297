import { describe, expect, it } from "vitest"
import { createNoChatSessions } from "../../../adapters/chat-sessions/index.ts"
import type { Surface } from "../../../core/kernel/definition.ts"
import { alice, userNamed } from "../../support/callers.ts"
import { createHarness } from "../../support/harness.ts"
import { testTool } from "../../support/test-tool.ts"
import { createTestTools } from "../../support/test-tools.ts"

const reader = userNamed("alice", { scopes: new Set(["runtime:read"]) })

describe("steps 1 and 2: gateway, name, scopes, arguments", () => {
  it("K1: a refused scope beats bad arguments and unknown targets", async () => {
    await using harness = await createHarness()
    for (const input of [{}, { project: "nowhere", bogus: 1 }]) {
      expect(await harness.fails("apply_text_edits", input, { as: reader })).toMatchObject({
        kind: "insufficient_scope",
        http: 403,
        recovery: "reauthorize",
        details: { required: ["project:write"], missing: ["project:write"] },
      })
    }
  })

  it("K2: names all faults at once, with the schema hash that tool_manifest has", async () => {
    await using harness = await createHarness()
    const error = await harness.fails("apply_text_edits", { project: "a", bogus: 1 })
    expect(error).toMatchObject({ kind: "invalid_arguments", http: 400, recovery: "fix_input" })
    expect(error.details?.fields).toEqual(
      expect.arrayContaining([
        { path: "bogus", code: "unknown" },
        { path: "changes", code: "required" },
      ]),
    )
    expect(error.details).toMatchObject({ unknown_fields: ["bogus"], missing_fields: ["changes"] })
    expect(error.details?.known_fields).toContain("changes")
    const manifest = await harness.ok("tool_manifest", { tool_name: "apply_text_edits" })
    expect(error.details?.schema_hash).toBe(manifest.schema_hash)
  })

  it("half a surrogate pair is no text: it would silently become another one", async () => {
    await using harness = await createHarness()
    for (const query of ["\ud800", "a\udc00b"]) {
      expect(await harness.fails("list_tools", { query })).toMatchObject({
        kind: "invalid_arguments",
        http: 400,
        details: { fields: [{ path: "query", code: "format" }] },
      })
    }
    await harness.ok("list_tools", { query: "\u{1f600}" })
    const changes = [{ path: "a.txt", action: "create", content: "\ud800" }]
    const error = await harness.fails("apply_text_edits", { project: "a", changes })
    expect(error).toMatchObject({ kind: "invalid_arguments" })
  })

  it("a gateway says what is wrong with arguments_json", async () => {
    await using harness = await createHarness()
    const said = async (text: string) =>
      (await harness.fails("call_tool", { tool: "list_tools", arguments_json: text })).message
    expect(await said("{")).toMatch(/is not valid JSON \(line 1, column \d+\)/)
    expect(await said("[]")).toContain("is JSON but not an object")
    expect(await said('{"a":1,"a":2}')).toContain("the same member twice")
    expect(await said(`{"a":${"[".repeat(40)}${"]".repeat(40)}}`)).toContain("nests deeper than 32")
    expect(await said('{"a":"\\ud800"}')).toContain("half a surrogate pair")
    expect(await said(`{"a":"${"é".repeat(600_000)}"}`)).toContain("is over 1048576 bytes")
  })

  it("K3: null is its own fault, never absence", async () => {
    await using harness = await createHarness()
    const error = await harness.fails("list_tools", { query: null, limit: null, offset: "1" })
    expect(error).toMatchObject({ kind: "invalid_arguments", http: 400 })
    expect(error.details?.fields).toEqual([
      { path: "query", code: "null" },
      { path: "limit", code: "null" },
      { path: "offset", code: "type" },
    ])
  })

  it("tells every kind of fault apart and never repeats a value", async () => {
    await using harness = await createHarness()
    const codes = async (tool: string, input: unknown) =>
      (await harness.fails(tool, input)).details?.fields as { path: string; code: string }[]
    expect(await codes("list_tools", { limit: 0 })).toEqual([{ path: "limit", code: "too_small" }])
    expect(await codes("list_tools", { query: "zq81".repeat(51) })).toEqual([{ path: "query", code: "too_big" }])
    expect(await codes("list_tools", { effect: "zq81" })).toEqual([{ path: "effect", code: "enum" }])
    expect(await codes("session_summary", { session_id: "zq81" })).toEqual([{ path: "session_id", code: "pattern" }])
    expect(await codes("list_tools", ["zq81"])).toEqual([{ path: "", code: "type" }])
    expect(JSON.stringify(await harness.call("list_tools", { effect: "zq81" }))).not.toContain("zq81")
  })

  it("names the fields of the object in which one is unknown", async () => {
    await using harness = await createHarness()
    const known = async (input: object) =>
      (await harness.fails("run_shell", { project: "a", command: "true", ...input })).details?.known_fields
    expect(await known({ budget: { head: 3 } })).toEqual(["budget.grep", "budget.keep", "budget.max_chars"])
    expect(await known({ env: [{ name: "A", value: "b", x: 1 }] })).toEqual(["env[0].name", "env[0].value"])
    expect(await known({ budget: { head: 3 }, comand: "" })).toContain("sync_wait_secs")
  })

  it("says what a field would have to be, also deep within a list", async () => {
    await using harness = await createHarness()
    const said = async (tool: string, input: object) => {
      const { message, details } = await harness.fails(tool, input)
      const fields = details?.fields as { path: string; code: string }[]
      expect(fields.map((fault) => Object.keys(fault).join())).toEqual(fields.map(() => "path,code"))
      return message.replace(/^The arguments of \w+ are not valid: | Correct them as .*$/g, "")
    }
    const edit = (change: object) => said("apply_text_edits", { project: "a", changes: [{ path: "a.txt", ...change }] })
    expect(await edit({ kind: "zq81" })).toBe("`changes[0].kind` must be one of edit, create, replace.")
    expect(await edit({})).toBe("`changes[0].kind` is required and must be one of edit, create, replace.")
    expect(await edit({ kind: "edit", edits: [{ kind: "zq81", old_text: "" }] })).toBe(
      "`changes[0].edits[0].kind` must be replace_exact; `changes[0].edits[0].old_text` must have at least 1 character.",
    )
    expect(await said("apply_text_edits", { project: "a", changes: {} })).toBe("`changes` must be a list.")
    expect(await said("list_tools", { limit: 0, query: "zq81".repeat(51), offset: "1" })).toBe(
      "`query` must have at most 200 characters; `limit` must be at least 1; `offset` must be a number.",
    )
    expect(await said("list_tools", { query: null, effect: [] })).toMatch(
      /^`query` must not be null \(leave it out\); `effect` must be one of observe, /,
    )
    const many = Array.from({ length: 16 }, () => ({ kind: "zq81", path: "a", newlines: "zq81", encoding: "zq81" }))
    expect((await harness.fails("apply_text_edits", { project: "a", changes: many })).message.length).toBeLessThan(501)
  })

  it("K18: a tool outside the endpoint's surface is unknown there and says where it is", async () => {
    await using harness = await createHarness()
    const error = await harness.fails("read_files", {}, { surface: "shell" })
    expect(error).toMatchObject({ kind: "unknown_tool", http: 404, recovery: "reobserve" })
    expect(error.details?.surfaces).toEqual(["coding", "full"])
    expect(error.message).toMatch(/It is on coding, full: connect to one of these\.$/)
    const said = async (tool: string, surface: Surface) => (await harness.fails(tool, {}, { surface })).message
    expect(await said("git_status", "coding")).toMatch(/Run it by call_read_tool\.$/)
    expect(await said("close_session", "coding")).toMatch(/Run it by call_tool\.$/)
    expect(await said("nothing_such", "coding")).toMatch(/Ask list_tools for the names that exist\.$/)
    expect(await said("nothing_such", "shell")).toMatch(/Choose one of this endpoint's tools\/list\.$/)
    const { project } = await harness.project("a")
    expect((await harness.fails("read_files", { project, items: [{ path: "x" }] })).kind).toBe("all_items_failed")
  })

  it("suggests near names", async () => {
    await using harness = await createHarness()
    const error = await harness.fails("list_project")
    expect(error.details).toMatchObject({ did_you_mean: ["list_projects"], schema_hash: harness.schemaHash })
  })

  it("K19: a gateway call is the inner call; reading never runs anything else; gateways do not nest", async () => {
    await using harness = await createHarness()
    const { project } = await harness.project("a")
    const session = await harness.session({ project })
    const direct = await harness.call("git_status", { project })
    const through = await harness.call("call_read_tool", {
      tool: "git_status",
      arguments_json: JSON.stringify({ project }),
    })
    expect(through).toEqual(direct)
    await harness.call(
      "call_read_tool",
      { tool: "git_status", arguments_json: JSON.stringify({ project }) },
      { recorder: session },
    )
    expect((await harness.callEvents(session)).map((event) => event.tool_name)).toEqual(["git_status", "git_status"])
    const denied = { tool: "apply_text_edits", arguments_json: "{}" }
    expect(await harness.fails("call_read_tool", denied)).toMatchObject({
      kind: "effect_not_allowed",
      http: 403,
      details: { tool: "apply_text_edits", effect: "mutate" },
    })
    const instead = async (tool: string) =>
      (await harness.fails("call_read_tool", { tool, arguments_json: "{}" }, { surface: "coding" })).message
    expect(await instead("apply_text_edits")).toMatch(/Use call_tool or apply_text_edits itself\.$/)
    expect(await instead("close_session")).toMatch(/Use call_tool\.$/)
    expect(await harness.fails("call_tool", { tool: "call_tool" })).toMatchObject({ kind: "unknown_tool", http: 404 })
  })

  it("D37: faults of a gateway's own fields; a valid inner call answers as the direct one", async () => {
    await using harness = await createHarness()
    for (const text of ["[]", '{"a":1,"a":2}', "{", "7"]) {
      expect(await harness.fails("call_tool", { tool: "close_session", arguments_json: text })).toMatchObject({
        kind: "invalid_arguments",
        http: 400,
        details: { field: "arguments_json" },
      })
    }
    expect((await harness.fails("call_tool", { arguments_json: "{}", extra: 1 })).details?.fields).toEqual([
      { path: "tool", code: "required" },
      { path: "extra", code: "unknown" },
    ])
    const session = await harness.session()
    const closed = await harness.ok("call_tool", {
      tool: "close_session",
      arguments_json: JSON.stringify({ session_id: session }),
    })
    expect(closed).toMatchObject({ session_id: session, already_closed: false })
  })

  it("D18: an unoffered wrapper field is unknown; a malformed recorder is an invalid argument", async () => {
    await using harness = await createHarness()
    expect((await harness.fails("list_tools", { ack_session_message_ids: ["wc_msg_x"] })).details?.fields).toEqual([
      { path: "ack_session_message_ids", code: "unknown" },
    ])
    for (const [value, code] of [
      [7, "type"],
      ["", "pattern"],
      [null, "null"],
    ]) {
      const error = await harness.fails("list_tools", {}, { wrapper: { recording_session_id: value } })
      expect(error.details?.fields).toEqual([{ path: "recording_session_id", code }])
    }
    const inside = { tool: "list_tools", arguments_json: '{"recording_session_id":"x"}' }
    expect((await harness.fails("call_tool", inside)).details?.unknown_fields).toEqual(["recording_session_id"])
  })

  it("a disabled tool is known and closed; a tool of a feature that is off likewise", async () => {
    const off = testTool({ name: "t_off", feature: "memory" })
    await using harness = await createHarness({
      tools: [off],
      registry: { disabledTools: ["git_diff"], features: [] },
    })
    expect(await harness.fails("git_diff")).toMatchObject({
      kind: "tool_disabled",
      http: 403,
      details: { reason: "disabled" },
    })
    expect((await harness.fails("t_off")).details).toEqual({ reason: "feature_off" })
    expect((await harness.fails("git_dif")).details?.did_you_mean).not.toContain("git_diff")
  })

  it("K43: elevated scopes are asked after parsing and before anything is registered", async () => {
    await using harness = await createHarness()
    const as = userNamed("alice", { scopes: new Set([...alice.scopes].filter((scope) => scope !== "project:write")) })
    const input = { client_id: "local", path: harness.home, instruction: "x" }
    expect(await harness.fails("work_on_project", input, { as })).toMatchObject({
      kind: "insufficient_scope",
      http: 403,
      details: { missing: ["project:write"] },
    })
    expect((await harness.fails("work_on_project", { ...input, path: 7 }, { as })).kind).toBe("invalid_arguments")
    expect((await harness.ok("list_projects")).total).toBe(0)
  })

  it("an open object's dangerous member names are refused at any depth", async () => {
    const { z } = await import("zod")
    const open = testTool({ name: "t_open", input: z.strictObject({ free: z.looseObject({}).describe("Anything.") }) })
    await using harness = await createHarness({ tools: [open] })
    const input: unknown = JSON.parse('{"free":{"a":{"__proto__":{"x":1}},"constructor":1}}')
    expect((await harness.fails("t_open", input)).details?.unknown_fields).toEqual([
      "free.a.__proto__",
      "free.constructor",
    ])
    expect(await harness.ok("t_open", { free: { a: 1 } })).toEqual({ text: "ok" })
  })

  it("step 4c: the only Chat Session adapter knows none; a malformed id is its own kind; a bound guard denies paths", async () => {
    const chat = { project: "none", session: "none", chat: "optional" } as const
    const tools = [
      testTool({
        name: "t_chat",
        category: "chat",
        target: chat,
        touches: () => ({ reads: ["src/a.ts"], writes: ["secret/b.ts"] }),
      }),
    ]
    const wrapper = { chat_session_id: "chat-1" }
    await using harness = await createHarness({ tools, chatSessions: createNoChatSessions() })
    expect(await harness.fails("t_chat", {}, { wrapper })).toMatchObject({ kind: "chat_session_unknown", http: 404 })
    expect(await harness.fails("t_chat", {}, { wrapper: { chat_session_id: "-x" } })).toMatchObject({
      kind: "chat_session_id_invalid",
      http: 400,
    })
    expect((await harness.fails("list_tools", {}, { wrapper })).details?.unknown_fields).toEqual(["chat_session_id"])
    const guarded = { resolve: async () => ({ allows: (path: string) => path.startsWith("src/") }) }
    await using bound = await createHarness({ tools, chatSessions: guarded })
    expect(await bound.fails("t_chat", {}, { wrapper })).toMatchObject({
      kind: "guard_denied",
      http: 403,
      execution_state: "not_started",
      details: { path: "secret/b.ts" },
    })
    const open = { resolve: async () => ({ allows: () => true }) }
    await using allowed = await createHarness({ tools, chatSessions: open })
    expect(await allowed.ok("t_chat", {}, { wrapper })).toEqual({ text: "ok" })
  })

  it("a refusal before step 4 leaves every table as it was", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    const before = harness.dump()
    await harness.fails("nope", {}, { recorder: session })
    await harness.fails("t_change", {}, { as: reader, recorder: session })
    await harness.fails("t_change", { ms: "x" }, { recorder: session })
    await harness.fails("t_change", { project: "nowhere" }, { recorder: session })
    expect(harness.dump()).toBe(before)
    expect(tools.entered("t_change")).toBe(0)
  })
})
