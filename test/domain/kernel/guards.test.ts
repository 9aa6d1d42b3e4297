import { readFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { SCOPES, type Scope } from "../../../core/access/scopes.ts"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { textSchema } from "../../../core/kernel/text-schema.ts"
import { userNamed } from "../../support/callers.ts"
import { type CallFinish, createHarness, type Harness } from "../../support/harness.ts"
import { testTool } from "../../support/test-tool.ts"
import { createTestTools } from "../../support/test-tools.ts"

const create = (project: string, more: object = {}) => ({
  project,
  changes: [{ kind: "create", path: "zq-new.txt", content: "zq-body\n" }],
  ...more,
})

async function finishes(harness: Harness, session: string): Promise<readonly CallFinish[]> {
  const events = await harness.callEvents(session)
  return events.filter((event) => event.kind === "tool_call_finished")
}

describe("steps 4 to 6: lifecycle, guards, defaults, permission", () => {
  it("K9: a read-only Session refuses an edit and gets one failed pair, without any text", async () => {
    await using harness = await createHarness()
    const { project, root } = await harness.project("a")
    const session = await harness.session({ project, mode: "read_only" })
    const error = await harness.fails("apply_text_edits", create(project, { session_id: session }))
    expect(error).toMatchObject({
      kind: "session_guard_denied",
      http: 403,
      recovery: "none",
      execution_state: "not_started",
      details: { session_id: session, role: "business", guard: "write", mode: "read_only" },
    })
    const [started, finished, ...more] = await harness.callEvents(session)
    expect(more).toEqual([])
    expect(started).toMatchObject({ kind: "tool_call_started", tool_name: "apply_text_edits", role: "business" })
    expect(finished).toMatchObject({
      kind: "tool_call_finished",
      call_id: started?.call_id,
      started_seq: started?.seq,
      status: "failed",
      error: { kind: "session_guard_denied", recovery: "none", execution_state: "not_started" },
    })
    expect(harness.dump()).not.toContain("zq-body")
    await expect(readFile(join(root, "zq-new.txt"))).rejects.toThrow("ENOENT")
  })

  it("K10: a closed Session is final: reads work and record nothing, anything else is session_closed", async () => {
    await using harness = await createHarness()
    const { project } = await harness.project("a")
    const session = await harness.session({ project, mode: "read_only" })
    await harness.ok("close_session", { session_id: session })
    const before = await harness.events(session)
    expect(await harness.fails("apply_text_edits", create(project, { session_id: session }))).toMatchObject({
      kind: "session_closed",
      http: 409,
      details: { session_id: session, role: "business" },
    })
    expect((await harness.ok("session_summary", { session_id: session })).lifecycle).toBe("closed")
    const { result } = await harness.call("list_tools", {}, { recorder: session })
    expect(result.attached?.session_record).toEqual({
      session_id: session,
      recorded: false,
      reason: "session_closed",
    })
    const elsewhere = { session_id: await harness.session({ project }), kind: "note", message: "x" }
    expect(await harness.fails("post_session_message", elsewhere, { recorder: session })).toMatchObject({
      kind: "session_closed",
      http: 409,
      details: { role: "recorder" },
    })
    expect(await harness.events(session)).toEqual(before)
  })

  it("K12: defaults come from the business Session alone, per field; an explicit argument wins", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const { project } = await harness.project("a")
    const context = { execution_context: { default_cwd: "pkg", default_shell: "bash" } }
    const session = await harness.session({ project, ...context })
    expect(await harness.ok("t_run", { project, session_id: session })).toMatchObject({ cwd: "pkg", shell: "bash" })
    expect(await harness.ok("t_run", { project, session_id: session, cwd: "." })).toMatchObject({
      cwd: ".",
      shell: "bash",
    })
    expect(await harness.ok("t_run", { project }, { recorder: session })).toMatchObject({ cwd: "", shell: "" })
  })

  it("a named resource is never run on the Project host instead", async () => {
    const tools = createTestTools()
    const [run] = tools.definitions.filter(({ name }) => name === "t_run")
    if (run === undefined) throw new Error("no t_run")
    const rejecting = { ...run, name: "t_host_only", inherits: [], resource: "rejects" } as const
    await using harness = await createHarness({ tools: [...tools.definitions, rejecting] })
    const { project } = await harness.project("a")
    const session = await harness.session({ project, execution_context: { resource: "box" } })
    expect(await harness.fails("t_host_only", { project, session_id: session })).toMatchObject({
      kind: "unsupported_resource",
      http: 409,
      execution_state: "not_started",
      details: { resource: "box" },
    })
    expect(await harness.fails("t_run", { project, session_id: session })).toMatchObject({
      kind: "capability_unavailable",
      http: 409,
    })
    expect((await harness.fails("t_run", { project, resource: "box" })).kind).toBe("capability_unavailable")
    expect(tools.entered("t_run")).toBe(0)
    expect((await finishes(harness, session)).map((event) => event.error?.kind)).toEqual([
      "unsupported_resource",
      "capability_unavailable",
    ])
  })

  it("K13: restricted mode denies what bears a risk and lets everything else run", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions, authorityMode: "restricted" })
    await using trusted = await createHarness({ beside: harness })
    const { project } = await trusted.project("a")
    const effects = harness.runners.effects()
    for (const [tool, input] of [
      ["t_run", { project }],
      ["apply_text_edits", create(project)],
    ] as const) {
      expect(await harness.fails(tool, input)).toMatchObject({
        kind: "permission_denied",
        http: 403,
        execution_state: "not_started",
        details: { reason: "restricted_requires_human_authorization" },
      })
    }
    expect(harness.runners.effects()).toBe(effects)
    expect(tools.entered("t_run")).toBe(0)
    const session = await harness.session({ project })
    await harness.ok("post_session_message", { session_id: session, kind: "note", message: "x" })
    expect(await harness.ok("read_files", { project, items: [{ path: "none" }] }).catch(String)).toContain("all_items")
    await harness.fails("apply_text_edits", create(project, { session_id: session }))
    const [refused] = await finishes(harness, session)
    expect(refused?.permission).toMatchObject({ status: "denied", risk: "write", mode: "restricted" })
  })

  it("K14: one decision, the same in both finished events and in the sidecar", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const { project } = await harness.project("a")
    const recorder = await harness.session({ project })
    const session = await harness.session({ project })
    const { result } = await harness.call("t_run", { project, session_id: session }, { recorder })
    const permission = result.attached?.permission
    expect(permission).toMatchObject({ status: "auto_approved", reason: "trusted_agent_authority", risk: "shell" })
    expect(permission?.request_id).toMatch(/^wc_perm_[0-9a-f]{32}$/)
    for (const each of [recorder, session]) {
      const [finished] = await finishes(harness, each)
      expect(finished?.permission?.request_id).toBe(permission?.request_id)
    }
    const observed = await harness.call("list_tools", {}, { recorder })
    expect(observed.result.attached?.permission).toBeUndefined()
  })

  it("K15: a restricted credential is denied although scopes suffice and the server trusts", async () => {
    await using harness = await createHarness()
    const { project } = await harness.project("a")
    const as = userNamed("alice", { mode: "restricted" })
    const { result, httpStatus } = await harness.call("apply_text_edits", create(project), { as })
    expect(httpStatus).toBe(403)
    expect(result.success ? undefined : result.error.kind).toBe("permission_denied")
    expect(result.attached?.permission?.status).toBe("denied")
    expect((await harness.ok("runtime_status", {}, { as })).authority).toEqual({
      mode: "restricted",
      source: "credential",
      permission_bearing: "denied",
    })
  })

  it("lifecycle beats guards, guards beat permission", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const { project } = await harness.project("a")
    const as = userNamed("alice", { mode: "restricted" })
    const closed = await harness.session({ project, mode: "read_only" })
    await harness.ok("close_session", { session_id: closed })
    const open = await harness.session({ project, mode: "read_only" })
    const kind = async (session: string) =>
      (await harness.fails("t_change", { project, session_id: session }, { as })).kind
    expect(await kind(closed)).toBe("session_closed")
    expect(await kind(open)).toBe("session_guard_denied")
  })

  it("either guard alone refuses its own effects; the recorder's guards count too", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const { project } = await harness.project("a")
    const noWrite = await harness.session({ project, guards: { deny_write_tools: true } })
    const noShell = await harness.session({ project, guards: { deny_shell_tools: true } })
    const outcome = async (tool: string, session: string, recorder?: string) => {
      const how = recorder === undefined ? {} : { recorder }
      const { result } = await harness.call(tool, { project, session_id: session }, how)
      return result.success ? "ok" : (result.error.details as { guard?: string }).guard
    }
    expect(await outcome("t_change", noWrite)).toBe("write")
    expect(await outcome("t_run", noWrite)).toBe("ok")
    expect(await outcome("t_change", noShell)).toBe("ok")
    expect(await outcome("t_run", noShell)).toBe("shell")
    expect(await outcome("t_commit", noShell)).toBe("ok")
    const { details } = await harness.fails("t_run", { project }, { recorder: noShell })
    expect(details).toMatchObject({ role: "recorder", guard: "shell" })
  })

  it("what an input elevates adds scopes, guard and risk", async () => {
    const elevates = testTool({
      name: "t_elevate",
      effect: "mutate",
      mutates: "session",
      input: z.strictObject({
        project: textSchema(1, 64).optional().describe("Project."),
        session_id: sessionIdSchema.optional().describe("Session."),
        write: z.boolean().default(false).describe("Write."),
      }),
      target: { project: "optional", session: "optional", chat: "none" },
      elevate: ({ write }) => (write ? { scopes: ["project:write"], risk: "write", guard: ["write"] } : {}),
    })
    await using harness = await createHarness({ tools: [elevates] })
    const session = await harness.session({ mode: "read_only" })
    const plain = userNamed("alice", { scopes: new Set(["runtime:read"]) })
    expect(await harness.ok("t_elevate", { session_id: session }, { as: plain })).toEqual({ text: "ok" })
    expect((await harness.fails("t_elevate", { write: true }, { as: plain })).kind).toBe("insufficient_scope")
    expect((await harness.fails("t_elevate", { write: true, session_id: session })).kind).toBe("session_guard_denied")
    const restricted = userNamed("alice", { mode: "restricted" })
    expect((await harness.fails("t_elevate", { write: true }, { as: restricted })).details).toMatchObject({
      risk: "write",
    })
  })

  it("K-I8: adding a scope never turns success into refusal, removing one never the reverse", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const names = ["t_echo", "t_change", "t_commit", "t_run", "list_projects", "runtime_status"] as const
    const scopes = fc.subarray([...SCOPES])
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), scopes, fc.constantFrom(...SCOPES), async (name, held, added) => {
        const input = name === "t_echo" ? { text: "x" } : {}
        const succeeds = async (set: readonly Scope[]) =>
          (await harness.call(name, input, { as: userNamed("alice", { scopes: new Set(set) }) })).result.success
        const before = await succeeds(held)
        const after = await succeeds([...held, added])
        expect(after || !before).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})
