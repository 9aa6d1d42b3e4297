import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { alice, bob, callerOf } from "../../support/callers.ts"
import { testTool } from "../../support/test-tool.ts"
import type { KernelUnderTest } from "./kernel-under-test.ts"
import { startKernel } from "./kernel-under-test.ts"

interface Summary extends Record<string, unknown> {
  readonly events: readonly Record<string, unknown>[]
}

/** A Session of alice in Project `a`. */
async function session(kernel: KernelUnderTest, over: object = {}): Promise<string> {
  return String((await kernel.ok("start_session", { project: "a", ...over })).session_id)
}

async function summary(kernel: KernelUnderTest, id: string, over: object = {}): Promise<Summary> {
  const output = await kernel.ok("session_summary", { session_id: id, ...over })
  return { ...output, events: Array.isArray(output.events) ? output.events : [] }
}

/** A promise that its owner lets pass. */
function gate(): { readonly passed: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

const kindsOf = ({ events }: Summary): unknown[] => [...events].reverse().map(({ kind }) => kind)

describe("start_session", () => {
  it("S1: two starts are two Sessions with one event each", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const made = [
      await kernel.ok("start_session", { project: "a" }),
      await kernel.ok("start_session", { project: "a" }),
    ]
    expect(new Set(made.map(({ session_id }) => session_id)).size).toBe(2)
    for (const view of made) {
      expect(view).toMatchObject({ session_id: expect.stringMatching(/^wc_sess_[A-Za-z0-9_-]{16}$/), events_total: 1 })
      const { events } = await summary(kernel, String(view.session_id))
      expect(events).toMatchObject([{ kind: "session_started", seq: 1, project: "a", door: "embedded" }])
    }
  })

  it("S3: titles are bounded by characters and never blank", async () => {
    await using kernel = await startKernel()
    const title = "😀".repeat(200)
    expect(await kernel.ok("start_session", { title })).toMatchObject({ title })
    for (const refused of ["😀".repeat(201), "   ", "a\nb", "a\u2028b", "a\u2029b", "a\u0085b"]) {
      expect(await kernel.refused("start_session", { title: refused })).toMatchObject({ kind: "invalid_arguments" })
    }
    expect(await kernel.ok("start_session", { title: " x " })).toMatchObject({ title: "x" })
  })

  it("S4: without Project a context is refused and makes nothing, an empty one is accepted", async () => {
    await using kernel = await startKernel()
    const refused = await kernel.refused("start_session", { execution_context: { default_shell: "sh" } })
    expect(refused.kind).toBe("session_execution_context_requires_project")
    expect(await kernel.store.read((tx) => tx.sessions.countAllActive())).toBe(0)
    const view = await kernel.ok("start_session", { execution_context: {} })
    expect(view).toMatchObject({ execution_context: {}, mode: "normal", lifecycle: "active" })
    expect(view.project).toBeUndefined()
  })

  it("S14: read_only has both guards, whatever was asked", async () => {
    await using kernel = await startKernel()
    const view = await kernel.ok("start_session", { mode: "read_only", guards: { deny_write_tools: false } })
    expect(view).toMatchObject({ mode: "read_only", guards: { deny_write_tools: true, deny_shell_tools: true } })
  })

  it("S33: a secret in a title is masked and in no file of the data directory", async () => {
    await using kernel = await startKernel()
    const view = await kernel.ok("start_session", { title: "ship with Bearer abcdefghijklmnop" })
    expect(view.title).toBe("ship with Bearer [redacted:bearer]")
    const plain = await kernel.ok("start_session", { title: "the bearer of 16 tokens" })
    expect(plain.title).toBe("the bearer of 16 tokens")
    expect(() => execFileSync("grep", ["-rqa", "abcdefghijklmnop", kernel.dataDir])).toThrow()
  })

  it("S40: at the limit nothing is made or evicted", async () => {
    await using kernel = await startKernel({ sessionLimits: { maxActiveSessions: 10 } })
    const ids: string[] = []
    for (let count = 0; count < 10; count += 1) ids.push(String((await kernel.ok("start_session", {})).session_id))
    expect(await kernel.refused("start_session", {})).toEqual({
      kind: "session_capacity_exceeded",
      details: { max: 10 },
    })
    expect(await kernel.ok("start_session", {}, { as: bob })).toMatchObject({ lifecycle: "active" })
    await kernel.ok("close_session", { session_id: ids[0] })
    await kernel.ok("start_session", {})
    for (const id of ids) expect(await summary(kernel, id)).toMatchObject({ session_id: id })
  })

  it("a principal without authority group owns no Session", async () => {
    await using kernel = await startKernel()
    const as = callerOf({ kind: "embedded", id: "bot" })
    expect((await kernel.refused("start_session", {}, { as })).kind).toBe("session_authority_identity_unavailable")
  })

  it("an ended registration takes no new Session", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    await kernel.ok("unregister_project", { project: "a", expected_revision: 1, confirm: true })
    expect((await kernel.refused("start_session", { project: "a" })).kind).toBe("project_unavailable")
  })
})

describe("session_summary", () => {
  it("S2: ids of another form are refused, unknown ones are unknown, nothing is made", async () => {
    await using kernel = await startKernel()
    const ask = (session_id: string) => kernel.refused("session_summary", { session_id })
    expect((await ask("5f0e7d5e-1a2b-4c3d-8e9f-000000000000")).kind).toBe("invalid_arguments")
    expect((await ask(`wc_sess_${"0".repeat(32)}`)).kind).toBe("invalid_arguments")
    expect(await ask("wc_sess_0123456789abcdef")).toEqual({
      kind: "unknown_session_id",
      details: { role: "business", reason: "unknown" },
    })
    expect(await kernel.store.read((tx) => tx.sessions.countAllActive())).toBe(0)
  })

  it("K4: another principal's Session is denied, an unknown id is unknown", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    const as = bob
    expect((await kernel.refused("session_summary", { session_id: id }, { as })).kind).toBe("session_authority_denied")
    const unknown = await kernel.refused("session_summary", { session_id: "wc_sess_0123456789abcdef" }, { as })
    expect(unknown.kind).toBe("unknown_session_id")
  })

  it("K6: a Session whose Project its maker lost answers as no Project", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    const as = { ...alice, projects: ["b"] }
    expect((await kernel.refused("session_summary", { session_id: id }, { as })).kind).toBe("project_not_found")
  })

  it("S22: a read in a Session is one start and one finish of one call", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    await kernel.ok("t_read", { session_id: id })
    const { events } = await summary(kernel, id)
    const [finish, start] = events
    expect(events).toHaveLength(3)
    expect(start).toMatchObject({ kind: "tool_call_started", seq: 2, tool_name: "t_read", role: "business" })
    expect(finish).toMatchObject({ kind: "tool_call_finished", seq: 3, call_id: start?.call_id, started_seq: 2 })
  })

  it("S23: recorder and business of one Session are four events and one call", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    await kernel.ok("t_read", { session_id: id }, { recorder: id })
    const shown = await summary(kernel, id)
    const pairs = [...shown.events].reverse().slice(1)
    expect(pairs.map(({ seq, kind, role }) => [seq, kind, role])).toEqual([
      [2, "tool_call_started", "recorder"],
      [3, "tool_call_started", "business"],
      [4, "tool_call_finished", "recorder"],
      [5, "tool_call_finished", "business"],
    ])
    expect(new Set(pairs.map(({ invocation_id }) => invocation_id)).size).toBe(1)
    expect(new Set(pairs.map(({ call_id }) => call_id)).size).toBe(2)
    expect(shown.counts).toMatchObject({ tool_calls: 1 })
  })

  it("S24: an edit with another recorder is two events in each ledger and marks both as edited", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const work = await session(kernel)
    const watch = await session(kernel)
    await kernel.ok("t_edit", { session_id: work, paths: ["f"] }, { recorder: watch })
    const both = [await summary(kernel, work), await summary(kernel, watch)]
    for (const shown of both) {
      expect(shown).toMatchObject({ repository_edited: true, events_total: 3, counts: { tool_calls: 1 } })
    }
    const calls = both.flatMap(({ events }) => events.filter(({ kind }) => kind !== "session_started"))
    expect(new Set(calls.map(({ invocation_id }) => invocation_id)).size).toBe(1)
    expect(new Set(calls.map(({ event_id }) => event_id)).size).toBe(4)
    expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(2)
  })

  it("S26: retention says what is no longer held", async () => {
    await using kernel = await startKernel({ sessionLimits: { retainedEvents: 3 } })
    await kernel.project("a")
    const id = await session(kernel)
    for (let count = 0; count < 5; count += 1) await kernel.ok("t_read", { session_id: id })
    expect(await summary(kernel, id)).toMatchObject({
      events_total: 11,
      events_retained: 3,
      events_evicted: 8,
      retention_truncated: true,
      ledger_first_retained_sequence: 9,
      counts: { tool_calls: 2 },
    })
  })

  it("S27: pages say whether older events are held", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    for (let count = 0; count < 150; count += 1) await kernel.ok("t_read", { session_id: id })
    expect(await summary(kernel, id, { limit: 200 })).toMatchObject({
      events_total: 301,
      events_returned: 200,
      first_returned_sequence: 102,
      events_truncated: true,
      retention_truncated: false,
    })
    expect(await summary(kernel, id, { limit: 200, before_seq: 102 })).toMatchObject({
      events_returned: 101,
      events_truncated: false,
    })
    expect((await kernel.refused("session_summary", { session_id: id, limit: 201 })).kind).toBe("invalid_arguments")
    expect(await summary(kernel, id, { limit: 0 })).toMatchObject({ events_returned: 0, events_truncated: true })
    expect(await summary(kernel, id, { limit: 0, before_seq: 1 })).toMatchObject({ events_truncated: false })
  })

  it("S29: looking adds nothing, a recorder of looking gets its pair", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    for (let count = 0; count < 50; count += 1) await summary(kernel, id)
    expect(await summary(kernel, id)).toMatchObject({ events_total: 1 })
    for (let count = 0; count < 50; count += 1) {
      await kernel.ok("session_summary", { session_id: id }, { recorder: id })
    }
    expect(await summary(kernel, id)).toMatchObject({ events_total: 101, open_calls: { total: 0, items: [] } })
  })

  it("S30: dry, failing and executing calls never mark the repository as edited", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    await kernel.ok("t_edit", { session_id: id, dry: true })
    await kernel.refused("t_edit", { session_id: id, fail: true })
    await kernel.ok("t_run", { session_id: id })
    expect(await summary(kernel, id)).toMatchObject({ repository_edited: false, counts: { tool_calls: 3, failed: 1 } })
  })

  it("S32: only acceptable paths are kept and counted", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    const paths = ["/etc/x", "../y", "file://z", "a\\b", "src/a.rs", "./src//b.rs", "x".repeat(513)]
    await kernel.ok("t_read", { session_id: id, paths })
    const [finish] = (await summary(kernel, id)).events
    expect(finish).toMatchObject({ observed_paths: ["src/a.rs", "src/b.rs"], observed_total: 2, changed_total: 0 })
  })

  it("S34: a secret that is registered later is masked in old events", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    await kernel.ok("t_read", { session_id: id, note: "zq-LITERAL-77" })
    kernel.secrets.register("Z", "zq-LITERAL-77")
    const [, start] = (await summary(kernel, id)).events
    expect(start).toMatchObject({ facts: { note: "[redacted:Z]" } })
  })

  it("S43: numbers order events when the clock goes back", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    await kernel.ok("t_read", { session_id: id })
    const before = await summary(kernel, id)
    kernel.time.offset = -3_600_000
    await kernel.ok("close_session", { session_id: id })
    const after = await summary(kernel, id)
    expect(after.events[0]).toMatchObject({ kind: "session_closed", seq: 4 })
    expect(Number(after.events[0]?.at)).toBeLessThan(Number(after.events[1]?.at))
    expect(after.updated_at).toBe(before.updated_at)
  })

  it("K39: a stored fingerprint of another form matches nobody and is not repaired", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    const { default: Database } = await import("better-sqlite3")
    const database = new Database(`${kernel.dataDir}/holdfast.db`)
    const count = database.prepare("update sessions set owner_authority_fingerprint = 'ABC'").run().changes
    expect(count).toBe(1)
    expect((await kernel.refused("session_summary", { session_id: id })).kind).toBe("session_authority_denied")
    const row = database.prepare("select owner_authority_fingerprint as stored from sessions").get()
    database.close()
    expect(row).toEqual({ stored: "ABC" })
  })
})

describe("close_session", () => {
  it("S17: a repeat says already_closed with the same time, and one event tells of it", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    const first = await kernel.ok("close_session", { session_id: id })
    kernel.time.offset = 60_000
    const second = await kernel.ok("close_session", { session_id: id })
    expect(first).toEqual({
      session_id: id,
      lifecycle: "closed",
      already_closed: false,
      closed_at: first.closed_at,
      open_counts: { guidance: 0, question: 0, todo: 0, risk: 0 },
      ack_required_open: 0,
      open_calls: 0,
      running_jobs: 0,
    })
    expect(second).toEqual({ ...first, already_closed: true })
    expect(kindsOf(await summary(kernel, id))).toEqual(["session_started", "session_closed"])
  })

  it("K10: a closed Session answers reads, records nothing and refuses work, the lifecycle before the guards", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel, { mode: "read_only" })
    await kernel.ok("close_session", { session_id: id })
    const { events_total } = await summary(kernel, id)
    expect(await kernel.refused("t_edit", { session_id: id })).toEqual({
      kind: "session_closed",
      details: { session_id: id, role: "business" },
    })
    const { result: looked } = await kernel.call("t_look", {}, { recorder: id })
    expect(looked).toMatchObject({
      success: true,
      attached: { session_record: { session_id: id, recorded: false, reason: "session_closed" } },
    })
    expect(await kernel.refused("start_session", { project: "a" }, { recorder: id })).toEqual({
      kind: "session_closed",
      details: { session_id: id, role: "recorder" },
    })
    expect(await summary(kernel, id)).toMatchObject({ events_total })
  })

  it("S15: the write guard refuses edits; commands, new Sessions and closing go on", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel, { guards: { deny_write_tools: true } })
    expect(await kernel.refused("t_edit", { session_id: id })).toEqual({
      kind: "session_guard_denied",
      details: { session_id: id, guard: "write", mode: "normal", role: "business" },
    })
    await kernel.ok("t_run", { session_id: id })
    await kernel.ok("start_session", { project: "a" }, { recorder: id })
    await kernel.ok("post_session_message", { session_id: id, kind: "note", message: "read" })
    await kernel.ok("update_session_context", { project: "a", session_id: id, execution_context: {} })
    await kernel.ok("close_session", { session_id: id })
  })

  it("S16: the shell guard refuses commands, also when the Session only records them; edits go on", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel, { guards: { deny_shell_tools: true } })
    expect(await kernel.refused("t_run", { session_id: id })).toMatchObject({ details: { guard: "shell" } })
    expect(await kernel.refused("t_run", { project: "a" }, { recorder: id })).toMatchObject({
      details: { guard: "shell", role: "recorder" },
    })
    await kernel.ok("t_edit", { session_id: id })
  })

  it("S19: a call in flight is reported by the close and finishes after it", async () => {
    const entered = gate()
    const release = gate()
    const slow = testTool({
      name: "t_slow",
      effect: "execute",
      risk: "shell",
      activity: "execute",
      input: z.strictObject({ session_id: sessionIdSchema.optional().describe("Session.") }),
      target: { project: "none", session: "optional", chat: "none" },
      handler: async () => {
        entered.open()
        await release.passed
        return { text: "ok" }
      },
    })
    await using kernel = await startKernel({ tools: [slow] })
    await kernel.project("a")
    const id = await session(kernel)
    const running = kernel.ok("t_slow", { session_id: id })
    await entered.passed
    expect(await summary(kernel, id)).toMatchObject({
      open_calls: { total: 1, items: [{ tool_name: "t_slow", role: "business", seq: 2 }] },
    })
    expect(await kernel.ok("close_session", { session_id: id })).toMatchObject({ open_calls: 1 })
    release.open()
    await running
    const after = await summary(kernel, id)
    expect(kindsOf(after)).toEqual(["session_started", "tool_call_started", "session_closed", "tool_call_finished"])
    expect(after).toMatchObject({ counts: { tool_calls: 1, succeeded: 1 }, open_calls: { total: 0 } })
  })

  it("S21: a closed Session answers reads and records none of them; edits are refused", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const id = await session(kernel)
    await kernel.ok("close_session", { session_id: id })
    const { events_total } = await summary(kernel, id)
    expect((await kernel.call("t_read", { session_id: id })).result).toMatchObject({
      success: true,
      attached: { session_record: { recorded: false, reason: "session_closed" } },
    })
    expect((await kernel.refused("t_edit", { session_id: id })).kind).toBe("session_closed")
    const post = { session_id: id, kind: "note", message: "late" }
    expect((await kernel.refused("post_session_message", post)).kind).toBe("session_closed")
    expect(await summary(kernel, id)).toMatchObject({ events_total, board: { retained: 0 } })
  })

  it("the start of a Session and the recorder's finish are one transaction", async () => {
    await using kernel = await startKernel()
    await kernel.project("a")
    const watch = await session(kernel)
    await kernel.ok("start_session", { project: "a", title: "x" }, { recorder: watch })
    const [finish, start] = (await summary(kernel, watch)).events
    expect(start).toMatchObject({ kind: "tool_call_started", role: "recorder", facts: { title_chars: 1 } })
    expect(finish).toMatchObject({ status: "succeeded", evidence: { state_changed: true } })
  })
})
