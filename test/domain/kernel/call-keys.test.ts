import { describe, expect, it } from "vitest"
import { callIdSchema } from "../../../core/kernel/ids.ts"
import { decideByKey } from "../../../core/kernel/keys/decide.ts"
import { inputHash, keyHash } from "../../../core/kernel/keys/hashes.ts"
import { MAX_RETAINED_BYTES, openResult, sealResult } from "../../../core/kernel/keys/seal.ts"
import { alice, bob } from "../../support/callers.ts"
import { createHarness } from "../../support/harness.ts"
import { createTestTools } from "../../support/test-tools.ts"

const KEY = "key-0123456789abcdef"

describe("call keys", () => {
  it("D21: the same key and content answers the first result; nothing runs, nothing is recorded", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    const first = await harness.call("t_change", { session_id: session }, { key: KEY })
    const second = await harness.call("t_change", { session_id: session }, { key: KEY })
    expect([first.replayed, second.replayed]).toEqual([false, true])
    expect(JSON.stringify(second.result)).toBe(JSON.stringify(first.result))
    expect(tools.entered("t_change")).toBe(1)
    expect(await harness.callEvents(session)).toHaveLength(2)
    expect(await harness.fails("t_change", { session_id: session, ms: 1 }, { key: KEY })).toMatchObject({
      kind: "idempotency_conflict",
      http: 409,
      recovery: "fix_input",
    })
    expect((await harness.fails("t_commit", { session_id: session }, { key: KEY })).kind).toBe("idempotency_conflict")
    expect((await harness.call("t_change", { session_id: session, ms: 1 }, { key: KEY, as: bob })).replayed).toBe(false)
  })

  it("keys a commit and a gateway's inner call alike", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const direct = await harness.call("t_commit", {}, { key: KEY })
    const through = await harness.call("call_tool", { tool: "t_commit", arguments_json: "{}" }, { key: KEY })
    expect(through).toEqual({ ...direct, replayed: true })
    expect(tools.entered("t_commit")).toBe(1)
  })

  it("an observing call is not kept", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    await harness.ok("t_echo", { text: "a" }, { key: KEY })
    expect((await harness.call("t_echo", { text: "b" }, { key: KEY })).replayed).toBe(false)
    expect(tools.entered("t_echo")).toBe(2)
  })

  it("K34: two processes, one key at once: one effect, one replay, equal outputs; other content conflicts", async () => {
    const one = createTestTools()
    const two = createTestTools()
    await using first = await createHarness({ tools: one.definitions })
    await using second = await createHarness({ tools: two.definitions, beside: first })
    const input = { ms: 600 }
    const answers = await Promise.all([
      first.call("t_run", input, { key: KEY, deadlineMs: 20_000 }),
      second.call("t_run", input, { key: KEY, deadlineMs: 20_000 }),
    ])
    expect(one.entered("t_run") + two.entered("t_run")).toBe(1)
    expect(answers.map(({ replayed }) => replayed).sort()).toEqual([false, true])
    expect(answers[0]?.result).toEqual(answers[1]?.result)
    const conflict = await second.fails("t_run", { ms: 601 }, { key: KEY })
    expect(conflict.kind).toBe("idempotency_conflict")
    expect(conflict).not.toHaveProperty("execution_state")
  })

  it("while the first still runs past one's own deadline: call_in_progress", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const first = harness.ok("t_change", { ms: 1500 }, { key: KEY })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await harness.fails("t_change", { ms: 1500 }, { key: KEY, deadlineMs: 1200 })).toMatchObject({
      kind: "call_in_progress",
      http: 409,
      recovery: "retry_same",
      execution_state: "outcome_unknown",
    })
    await first
  })

  it("D24: no readable output is stored", async () => {
    const { testTool } = await import("../../support/test-tool.ts")
    const says = testTool({
      name: "t_say",
      effect: "execute",
      risk: "shell",
      handler: async () => ({ text: "canary-7f3" }),
    })
    await using harness = await createHarness({ tools: [says] })
    await harness.ok("t_say", {}, { key: KEY })
    expect(harness.dump()).not.toContain("canary-7f3")
    expect(harness.dump()).not.toContain(KEY)
    expect((await harness.call("t_say", {}, { key: KEY })).result).toMatchObject({ output: { text: "canary-7f3" } })
  })

  it("a replay fits the limit of the request that asks for it, and stays whole for the next", async () => {
    const { testTool } = await import("../../support/test-tool.ts")
    const { z } = await import("zod")
    const long = testTool({
      name: "t_long_change",
      effect: "execute",
      risk: "shell",
      output: z.object({ text: z.string() }),
      reduce: [{ at: "text", kind: "text", min: 100 }],
      handler: async () => ({ text: "x".repeat(50_000) }),
    })
    await using harness = await createHarness({ tools: [long] })
    const first = await harness.call("t_long_change", {}, { key: KEY })
    const narrow = await harness.call("t_long_change", {}, { key: KEY, replyLimit: 2_000 })
    expect(narrow.replayed).toBe(true)
    expect(JSON.stringify(narrow.result).length).toBeLessThanOrEqual(2_000)
    const again = await harness.call("t_long_change", {}, { key: KEY })
    expect(JSON.stringify(again.result)).toBe(JSON.stringify(first.result))
  })

  it("a result over 256 KiB is complete but not kept", async () => {
    const { testTool } = await import("../../support/test-tool.ts")
    const { z } = await import("zod")
    const big = testTool({
      name: "t_big_change",
      effect: "execute",
      risk: "shell",
      output: z.object({ text: z.string() }),
      reduce: [{ at: "text", kind: "text", min: 100 }],
      handler: async () => ({ text: "x".repeat(300_000) }),
    })
    await using harness = await createHarness({ tools: [big], replyLimit: 400_000 })
    await harness.ok("t_big_change", {}, { key: KEY })
    expect(await harness.fails("t_big_change", {}, { key: KEY })).toMatchObject({
      kind: "result_not_retained",
      http: 409,
      execution_state: "completed",
      details: { call_id: expect.stringMatching(/^wc_call_/) },
    })
  })

  it("D25: a refusal binds no key; a refusal of a used key says that key's state", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const closed = await harness.session()
    await harness.ok("close_session", { session_id: closed })
    const refused = await harness.fails("t_commit", { session_id: closed }, { key: KEY })
    expect(refused).toMatchObject({ kind: "session_closed", execution_state: "not_started" })
    await harness.ok("t_commit", { session_id: await harness.session() }, { key: KEY })
    const again = await harness.fails("t_commit", { session_id: closed }, { key: KEY })
    expect(again).toMatchObject({
      kind: "session_closed",
      execution_state: "completed",
      details: { session_id: closed, call_id: expect.stringMatching(/^wc_call_/) },
    })
    const malformed = await harness.fails("t_commit", { bogus: 1 }, { key: KEY })
    expect(malformed).toMatchObject({ kind: "invalid_arguments", execution_state: "completed" })
  })

  it("D23: a started key of a dead process waits out its time, then nobody knows; it never runs again", async () => {
    const { FakeClock } = await import("../../support/fake-clock.ts")
    const clock = new FakeClock()
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions, clock })
    const hash = keyHash(alice.principal.id, KEY)
    await harness.store.write((tx) =>
      tx.callKeys.insert({
        keyHash: hash,
        tool: "t_run",
        inputHash: inputHash({ input: { ms: 0 }, wrapper: {} }),
        callId: callIdSchema.parse(`wc_call_${"0".repeat(32)}`),
        state: "started",
        deadlineAt: clock.now() + 1000,
        createdAt: clock.now(),
        expiresAt: clock.now() + 1_000_000,
      }),
    )
    expect((await harness.fails("t_run", {}, { key: KEY, deadlineMs: 900 })).kind).toBe("call_in_progress")
    await clock.advance(31_000)
    expect(await harness.fails("t_run", {}, { key: KEY, deadlineMs: 900 })).toMatchObject({
      kind: "outcome_unknown",
      http: 200,
      execution_state: "outcome_unknown",
    })
    expect(tools.entered("t_run")).toBe(0)
    await clock.advance(1_000_000)
    expect((await harness.call("t_run", {}, { key: KEY })).replayed).toBe(false)
  })
})

describe("the parts of call keys", () => {
  const row = {
    keyHash: "h",
    tool: "t",
    inputHash: "i",
    callId: callIdSchema.parse(`wc_call_${"1".repeat(32)}`),
    state: "started",
    deadlineAt: 1000,
    createdAt: 0,
    expiresAt: 9999,
  } as const

  it("decides by the row alone", () => {
    const same = { tool: "t", inputHash: "i" }
    expect(decideByKey(row, { tool: "u", inputHash: "i" }, 0)).toBe("conflict")
    expect(decideByKey(row, { tool: "t", inputHash: "j" }, 0)).toBe("conflict")
    expect(decideByKey(row, same, 30_999)).toBe("wait")
    expect(decideByKey(row, same, 31_000)).toBe("outcome_unknown")
    expect(decideByKey({ ...row, recovered: "{}" }, same, 0)).toBe("recovered")
    expect(decideByKey({ ...row, state: "finished" }, same, 0)).toBe("not_retained")
    expect(decideByKey({ ...row, state: "finished", result: new Uint8Array([1]) }, same, 0)).toBe("replay")
  })

  it("hashes by principal and by content, whatever the order of members", () => {
    expect(keyHash("user:a", "k")).not.toBe(keyHash("user:b", "k"))
    expect(inputHash({ input: { a: 1, b: 2 }, wrapper: {} })).toBe(inputHash({ wrapper: {}, input: { b: 2, a: 1 } }))
  })

  it("opens what it sealed with the same key and row alone, and keeps nothing over its bound", () => {
    const sealed = sealResult("hello", KEY, "row")
    if (sealed === undefined) throw new Error("not sealed")
    expect(Buffer.from(sealed).toString("latin1")).not.toContain("hello")
    expect(openResult(sealed, KEY, "row")).toBe("hello")
    expect(() => openResult(sealed, "another-key-0123456", "row")).toThrow()
    expect(() => openResult(sealed, KEY, "another row")).toThrow()
    expect(sealResult("x".repeat(MAX_RETAINED_BYTES + 1), KEY, "row")).toBeUndefined()
  })
})
