import { describe, expect, it } from "vitest"
import { createDeadline } from "../../../core/kernel/deadline.ts"
import { alice, bob } from "../../support/callers.ts"
import { FakeClock } from "../../support/fake-clock.ts"
import { createHarness, type Harness } from "../../support/harness.ts"
import { createTestTools } from "../../support/test-tools.ts"

async function finishesOf(harness: Harness, session: string) {
  return (await harness.callEvents(session)).filter((event) => event.kind === "tool_call_finished")
}

/** Looks until something is so; real time, generous. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("it never became so")
}

describe("deadlines", () => {
  it("hand over max(2000 ms, 5 %) before the end; no deadline never ends", () => {
    const clock = new FakeClock()
    const deadline = createDeadline(clock, { wholeMs: 40_000, receivedAt: 0 })
    expect([deadline.at, deadline.handoverAt, deadline.remaining()]).toEqual([40_000, 38_000, 40_000])
    expect(createDeadline(clock, { wholeMs: 100_000, receivedAt: 500 }).handoverAt).toBe(95_500)
    expect(createDeadline(clock, { wholeMs: undefined, receivedAt: 0 }).remaining()).toBe(Number.POSITIVE_INFINITY)
  })

  it("K32: a mutation past its deadline is answered, goes on, and records its true end", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    const error = await harness.fails("t_change", { session_id: session, ms: 1500 }, { deadlineMs: 400 })
    expect(error).toMatchObject({
      kind: "deadline_exceeded",
      http: 200,
      recovery: "reobserve",
      execution_state: "running",
    })
    expect(await finishesOf(harness, session)).toEqual([])
    await until(async () => (await finishesOf(harness, session)).length === 1)
    const [finished] = await finishesOf(harness, session)
    expect(finished).toMatchObject({ status: "succeeded", facts: { changed: true } })
    expect(tools.entered("t_change")).toBe(1)
  })

  it("an observing call past its deadline is aborted and ends as deadline_exceeded, safe to repeat", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    const error = await harness.fails("t_wait", { session_id: session, ms: 60_000 }, { deadlineMs: 200 })
    expect(error).toMatchObject({ kind: "deadline_exceeded", http: 200, recovery: "retry_same" })
    const [finished] = await finishesOf(harness, session)
    expect(finished).toMatchObject({ status: "failed", error: { kind: "deadline_exceeded", recovery: "retry_same" } })
  })

  it("an executing call sees when to hand over; with under 3 s left that is now", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    expect(await harness.ok("t_run", { ms: 20_000 }, { deadlineMs: 4_000 })).toMatchObject({ ended: "handed_over" })
    const startedAt = performance.now()
    expect(await harness.ok("t_run", { ms: 20_000 }, { deadlineMs: 2_900 })).toMatchObject({ ended: "handed_over" })
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })

  it("the clock of a call starts when its door had read the request", async () => {
    const clock = new FakeClock()
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions, clock })
    await clock.advance(10_000)
    const call = harness.fails("t_wait", { ms: 60_000 }, { deadlineMs: 5_000, receivedAt: 9_000 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await clock.advance(3_999)
    await clock.advance(1)
    expect((await call).kind).toBe("deadline_exceeded")
  })
})

describe("cancelling, going away, shutting down", () => {
  it("a cancelled observing call stops and records it", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const session = await harness.session()
    const caller = new AbortController()
    const call = harness.fails("t_wait", { session_id: session, ms: 60_000 }, { signal: caller.signal })
    await until(async () => tools.entered("t_wait") === 1)
    caller.abort("client_cancelled")
    expect(await call).toMatchObject({ kind: "cancelled", http: 200, recovery: "none" })
    expect((await finishesOf(harness, session))[0]).toMatchObject({ status: "failed", error: { kind: "cancelled" } })
  })

  it("a mutation ignores its caller's going", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const caller = new AbortController()
    const call = harness.ok("t_change", { ms: 500 }, { signal: caller.signal })
    await until(async () => tools.entered("t_change") === 1)
    caller.abort("client_gone")
    expect(await call).toMatchObject({ changed: true })
  })

  it("D27: cancel reaches only the own call with that key", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const key = "cancel-key-0123456789"
    const call = harness.fails("t_run", { ms: 60_000 }, { key })
    await until(async () => tools.entered("t_run") === 1)
    expect(harness.kernel.cancel(bob, key)).toBe(false)
    expect(harness.kernel.cancel(alice, key)).toBe(true)
    expect(await call).toMatchObject({ kind: "cancelled", execution_state: "cancelled" })
    expect(harness.kernel.cancel(alice, key)).toBe(false)
  })

  it("drain refuses new calls, ends waits and waits for what runs", async () => {
    const tools = createTestTools()
    await using harness = await createHarness({ tools: tools.definitions })
    const waiting = harness.fails("t_wait", { ms: 60_000 })
    const changing = harness.ok("t_change", { ms: 400 })
    await until(async () => tools.entered("t_wait") + tools.entered("t_change") === 2)
    await harness.kernel.drain()
    expect((await waiting).kind).toBe("cancelled")
    expect(await changing).toMatchObject({ changed: true })
    expect(await harness.fails("list_tools")).toMatchObject({ kind: "shutting_down", http: 503 })
  })

  it("progress is told at most once a second and a host that fails is no matter", async () => {
    const clock = new FakeClock()
    const { testTool } = await import("../../support/test-tool.ts")
    const tells = testTool({
      name: "t_tell",
      handler: async (_input, call) => {
        call.progress(0.1, "a")
        call.progress(0.2, "b")
        await clock.advance(1000)
        call.progress(undefined, "c")
        return { text: "ok" }
      },
    })
    await using harness = await createHarness({ tools: [tells], clock })
    const told: unknown[] = []
    const onProgress = (progress: object) => {
      told.push(progress)
      throw new Error("the host hung up")
    }
    expect(await harness.ok("t_tell", {}, { onProgress })).toEqual({ text: "ok" })
    expect(told).toEqual([{ fraction: 0.1, text: "a" }, { text: "c" }])
  })
})
