import { describe, expect, it } from "vitest"
import { type CallFinish, createHarness } from "../../support/harness.ts"
import { testTool } from "../../support/test-tool.ts"
import { createTestTools } from "../../support/test-tools.ts"

describe("steps 7 to 9: what is recorded", () => {
  it("K11: recorder and business of the same id give four events of one invocation", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    await harness.ok("t_wait", { session_id: session }, { recorder: session })
    const events = await harness.callEvents(session)
    expect(events.map(({ kind, role }) => [kind, role])).toEqual([
      ["tool_call_started", "recorder"],
      ["tool_call_started", "business"],
      ["tool_call_finished", "recorder"],
      ["tool_call_finished", "business"],
    ])
    expect(new Set(events.map((event) => event.invocation_id)).size).toBe(1)
    expect(new Set(events.map((event) => event.call_id)).size).toBe(2)
    const finished = events.filter((event): event is CallFinish => event.kind === "tool_call_finished")
    expect(finished.map((event) => event.started_seq)).toEqual([events[0]?.seq, events[1]?.seq])
  })

  it("two Sessions get two events each, with the facts their definition names and nothing else", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const { project } = await harness.project("a")
    const recorder = await harness.session({ project })
    const session = await harness.session({ project })
    await harness.ok("t_change", { project, session_id: session, text: "zq-canary" }, { recorder, door: "http" })
    const pairs = [await harness.callEvents(recorder), await harness.callEvents(session)]
    for (const [started, finished, ...more] of pairs) {
      expect(more).toEqual([])
      expect(started).toMatchObject({
        door: "http",
        project: "a",
        effect: "mutate",
        activity: "edit",
        facts: { ms: 0 },
      })
      expect(finished).toMatchObject({
        status: "succeeded",
        facts: { changed: true },
        evidence: { state_changed: true },
        changed_total: 0,
      })
    }
    expect(harness.dump()).not.toContain("zq-canary")
  })

  it("a store-only mutation and its finish are one transaction; a fault after it does not unsay it", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    expect(await harness.ok("t_commit", { session_id: session })).toEqual({ count: 1 })
    const { result } = await harness.call("t_commit", { session_id: session, after: "throw" })
    expect(result).toMatchObject({ success: true, output: { count: 2 } })
    expect(result.attached?.session_record?.recorded).toBe(true)
    const finished = (await harness.callEvents(session)).filter((event) => event.kind === "tool_call_finished")
    expect(finished.map((event) => event.facts)).toEqual([{ count: 1 }, { count: 2 }])
    expect(harness.telemetry.faults).toHaveLength(1)
  })

  it("a subject tool leaves its Session alone and says so", async () => {
    await using harness = await createHarness()
    const session = await harness.session()
    const before = await harness.events(session)
    const { result } = await harness.call("session_summary", { session_id: session })
    expect(result.attached?.session_record).toEqual({ session_id: session, recorded: false, reason: "subject" })
    expect(await harness.events(session)).toEqual(before)
  })

  it("K33: an unknown exception is internal_error, its text in the log alone", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    const error = await harness.fails("t_fail", { session_id: session })
    expect(error).toMatchObject({
      kind: "internal_error",
      http: 200,
      recovery: "reobserve",
      execution_state: "outcome_unknown",
    })
    expect(error.message).not.toMatch(/secret|\/home/)
    expect(String(harness.telemetry.faults[0])).toContain("secret /home/x")
    const [, finished] = await harness.callEvents(session)
    expect(finished).toMatchObject({ status: "failed", error: { kind: "internal_error" } })
    expect(harness.dump()).not.toContain("/home/x")
  })

  it("an output that breaks its schema is a fault, and undeclared members are stripped", async () => {
    let value: Record<string, unknown> = { text: "ok", extra: 1 }
    const loose = testTool({ name: "t_loose", handler: async () => value })
    await using harness = await createHarness({ tools: [loose] })
    expect(await harness.ok("t_loose")).toEqual({ text: "ok" })
    value = { text: 7 }
    expect((await harness.fails("t_loose")).kind).toBe("internal_error")
  })

  it("K37: a store that cannot be written refuses before the handler", async () => {
    const { ToolError } = await import("../../../core/kernel/error.ts")
    const tools = createTestTools()
    let isFull = false
    await using harness = await createHarness({
      tools: tools.definitions,
      wrapStore: (store) => ({
        ...store,
        read: (work) => store.read(work),
        write: (work) =>
          isFull
            ? Promise.reject(new ToolError("storage_unavailable", "The store cannot be written."))
            : store.write(work),
      }),
    })
    const recorder = await harness.session()
    isFull = true
    const post = { session_id: recorder, kind: "note", message: "x" }
    for (const [tool, input] of [
      ["t_commit", {}],
      ["post_session_message", post],
    ] as const)
      expect(await harness.fails(tool, input, { recorder })).toMatchObject({
        kind: "storage_unavailable",
        http: 503,
        recovery: "retry_later",
        retry_after_ms: 1000,
      })
    expect(tools.entered("t_commit")).toBe(0)
    expect(await harness.ok("list_session_messages", { session_id: recorder })).toMatchObject({ retained: 0 })
  })

  it("K36: an effect whose finish cannot be written is still a success, and its row stays open", async () => {
    const { ToolError } = await import("../../../core/kernel/error.ts")
    let isFull = false
    const fills = testTool({
      name: "t_fill",
      effect: "mutate",
      mutates: "workspace",
      risk: "write",
      handler: async () => {
        isFull = true
        return { text: "done" }
      },
    })
    await using harness = await createHarness({
      tools: [fills],
      wrapStore: (store) => ({
        ...store,
        read: (work) => store.read(work),
        write: (work) =>
          isFull ? Promise.reject(new ToolError("storage_unavailable", "The disk is full.")) : store.write(work),
      }),
    })
    const recorder = await harness.session()
    const { result } = await harness.call("t_fill", {}, { recorder })
    expect(result).toMatchObject({ success: true, output: { text: "done" } })
    expect(result.attached?.session_record).toEqual({
      session_id: recorder,
      recorded: false,
      reason: "storage_unavailable",
    })
    expect((await harness.callEvents(recorder)).map((event) => event.kind)).toEqual(["tool_call_started"])
    expect(harness.dump()).toContain("t_fill")
  })

  it("S20: a Session closed between steps 4 and 7 refuses the call; the handler is not entered, no pair", async () => {
    const tools = createTestTools()
    let closing: Promise<unknown> | undefined
    await using harness = await createHarness({
      tools: tools.definitions,
      wrapStore: (store) => ({
        ...store,
        read: (work) => store.read(work),
        write: async (work) => {
          await closing
          return store.write(work)
        },
      }),
    })
    await using other = await createHarness({ beside: harness })
    const session = await harness.session()
    const { promise: gate, resolve: open } = Promise.withResolvers<unknown>()
    closing = gate
    const call = harness.fails("t_commit", { session_id: session })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await other.ok("close_session", { session_id: session })
    open(undefined)
    expect(await call).toMatchObject({ kind: "session_closed", http: 409, details: { role: "business" } })
    expect(tools.entered("t_commit")).toBe(0)
    expect(await harness.callEvents(session)).toEqual([])
  })

  it("telemetry hears every call, refused ones too, and cannot change a result", async () => {
    await using harness = await createHarness()
    await harness.ok("list_tools")
    await harness.fails("nope")
    expect(harness.telemetry.calls).toMatchObject([
      { tool: "list_tools", success: true, door: "embedded", principal: "user:alice", replayed: false },
      { success: false, errorKind: "unknown_tool" },
    ])
    Object.assign(harness.telemetry, {
      call: () => {
        throw new Error("the log is gone")
      },
    })
    expect((await harness.call("list_tools")).result.success).toBe(true)
  })
})
