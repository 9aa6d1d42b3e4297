import { describe, expect, it } from "vitest"
import { alice } from "../../support/callers.ts"
import { startKernel, without } from "./kernel-under-test.ts"

const cwds: readonly (readonly [string, string])[] = [
  ["../x", "traversal"],
  ["a/../b", "traversal"],
  ["/abs", "absolute"],
  ["~/x", "absolute"],
  ["C:\\x", "absolute"],
  ["a\\b", "backslash"],
  ["file:/x", "uri"],
  ["http://h/x", "uri"],
  ["a\u0007b", "control"],
]

describe("update_session_context", () => {
  it("S5, S6: a folder is stored in its normal form; a refused one changes nothing", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const session_id = await kernel.session({ project: "a" })
    const set = (default_cwd: string) => ({ project: "a", session_id, execution_context: { default_cwd } })
    for (const [given, stored] of [
      ["./", "."],
      ["pkg/...", "pkg/..."],
      ["src/./lib//", "src/lib"],
    ] as const) {
      const updated = await kernel.ok("update_session_context", set(given))
      expect(updated.execution_context).toEqual({ default_cwd: stored })
    }
    const { events_total } = await kernel.ok("session_summary", { session_id })
    for (const [given, reason] of cwds) {
      expect(await kernel.refused("update_session_context", set(given))).toEqual({
        kind: "invalid_execution_context",
        details: { field: "default_cwd", reason },
      })
    }
    expect(await kernel.ok("session_summary", { session_id })).toMatchObject({
      events_total,
      execution_context: { default_cwd: "src/lib" },
    })
  })

  it("S7, S8: with a resource the folder is remote; without one an absolute folder is refused", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const session_id = await kernel.session({ project: "a" })
    const set = (execution_context: object) => ({ project: "a", session_id, execution_context })
    const remote = { resource: "box", default_cwd: "/srv/app" }
    expect(await kernel.ok("update_session_context", set(remote))).toMatchObject({ execution_context: remote })
    expect((await kernel.refused("update_session_context", set({ default_cwd: "/srv/app" }))).details).toEqual({
      field: "default_cwd",
      reason: "absolute",
    })
    expect(await kernel.ok("session_summary", { session_id })).toMatchObject({ execution_context: remote })
    await kernel.ok("update_session_context", set({ resource: "box-1.a_b" }))
    for (const resource of ["a..b", "-x"]) {
      const { details } = await kernel.refused("update_session_context", set({ resource }))
      expect(details).toEqual({ field: "resource", reason: "name" })
    }
    for (const resource of ["a".repeat(81), ""]) {
      expect((await kernel.refused("update_session_context", set({ resource }))).kind).toBe("invalid_arguments")
    }
  })

  it("S9: {} clears with one event that tells what was; again it changes nothing", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const before = { default_cwd: "src", default_shell: "sh" }
    const session_id = await kernel.session({ project: "a", execution_context: before })
    const clear = { project: "a", session_id, execution_context: {} }
    expect(await kernel.ok("update_session_context", clear)).toEqual({
      session_id,
      project: "a",
      previous_execution_context: before,
      execution_context: {},
      changed: true,
    })
    const events = await kernel.events(session_id)
    expect(events).toHaveLength(2)
    expect(events[1]).toMatchObject({
      kind: "session_execution_context_updated",
      seq: 2,
      previous: before,
      current: {},
      door: "embedded",
    })
    const { events_total, updated_at } = await kernel.ok("session_summary", { session_id })
    kernel.time.offset = 60_000
    expect(await kernel.ok("update_session_context", clear)).toMatchObject({ changed: false })
    expect(await kernel.ok("session_summary", { session_id })).toMatchObject({ events_total, updated_at })
  })

  it("S10: a Project that is not the Session's is refused, and nothing changes", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    await kernel.project("b")
    const session_id = await kernel.session({ project: "a" })
    const ask = { project: "b", session_id, execution_context: { default_shell: "sh" } }
    expect(await kernel.refused("update_session_context", ask)).toEqual({
      kind: "session_project_mismatch",
      details: { roles: ["business", "request"] },
    })
    const projectless = await kernel.session({})
    expect((await kernel.refused("update_session_context", { ...ask, session_id: projectless })).kind).toBe(
      "session_project_mismatch",
    )
    expect(await kernel.ok("session_summary", { session_id })).toMatchObject({ events_total: 1, execution_context: {} })
  })

  it("a read-only Session takes new defaults, a closed one does not, and project:write is needed", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const session_id = await kernel.session({ project: "a", mode: "read_only" })
    const ask = { project: "a", session_id, execution_context: { default_shell: "sh" } }
    const refused = await kernel.refused("update_session_context", ask, { as: without(alice, "project:write") })
    expect(refused.kind).toBe("insufficient_scope")
    expect(await kernel.ok("update_session_context", ask)).toMatchObject({ changed: true })
    await kernel.ok("close_session", { session_id })
    expect((await kernel.refused("update_session_context", ask)).kind).toBe("session_closed")
  })

  it("a recorder's ledger keeps which defaults were set, not their values", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const session_id = await kernel.session({ project: "a" })
    const ask = { project: "a", session_id, execution_context: { default_cwd: "very/own" } }
    await kernel.ok("update_session_context", ask, { recorder: session_id })
    const events = await kernel.events(session_id)
    expect(events.map(({ kind }) => kind)).toEqual([
      "session_started",
      "tool_call_started",
      "session_execution_context_updated",
      "tool_call_finished",
    ])
    expect(events[1]).toMatchObject({
      facts: { default_cwd_present: true, default_shell_present: false, resource_present: false },
    })
    expect(events[3]).toMatchObject({ facts: { changed: true }, evidence: { state_changed: true } })
  })
})
