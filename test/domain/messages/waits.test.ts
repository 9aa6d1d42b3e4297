import { describe, expect, it } from "vitest"
import { createHarness } from "../../support/harness.ts"
import { type BoardUnderTest, type Observed, startBoard } from "./board-under-test.ts"

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A wait of S that has begun: its answer, and when it came. */
function waiting(board: BoardUnderTest, token: string, more: object = {}, how: object = {}) {
  const input = { session_id: board.s, after_observation_token: token, wait_secs: 30, ...more }
  return board.call("observe_session_messages", input, how).then(({ result }) => ({ result, at: performance.now() }))
}

/** The observation of a wait that must succeed. */
async function observed(wait: ReturnType<typeof waiting>): Promise<Observed & { readonly at: number }> {
  const { result, at } = await wait
  if (!result.success) throw new Error(JSON.stringify(result.error))
  return { ...JSON.parse(JSON.stringify(result.output)), at }
}

describe("waits", () => {
  it("M12: nothing new, or a change of another board, is a timeout with an equal token", async () => {
    await using board = await startBoard()
    const token = await board.baseline()
    for (const disturb of [false, true]) {
      const wait = observed(waiting(board, token, { wait_secs: 1 }))
      await later(200)
      if (disturb) await board.post("note", { session_id: board.c })
      const seen = await wait
      expect(seen).toMatchObject({ wait_outcome: "timeout", changed: false, observation_token: token, messages: [] })
      expect(seen.waited_ms).toBeGreaterThanOrEqual(950)
      expect(seen.waited_ms).toBeLessThan(2500)
    }
  })

  it("M13: a post of another server, and one of the same, wake the wait soon after", async () => {
    await using board = await startBoard()
    await using beside = await createHarness({ beside: board })
    for (const [server, within] of [
      [beside, 250],
      [board, 50],
    ] as const) {
      const wait = observed(waiting(board, await board.baseline()))
      await later(300)
      await server.ok("post_session_message", { session_id: board.s, kind: "note", message: "wake" })
      const posted = performance.now()
      const seen = await wait
      expect(seen).toMatchObject({ wait_outcome: "updated", changed: true, messages: [{ message: "wake" }] })
      // The bound of the spec, and as much again for a loaded machine.
      expect(seen.at - posted).toBeLessThan(2 * within + 200)
    }
  })

  it("M14: closing the Session ends a wait, and a new one at once", async () => {
    await using board = await startBoard()
    const token = await board.baseline()
    const wait = observed(waiting(board, token))
    await later(300)
    await board.ok("close_session", { session_id: board.s })
    const ended = { wait_outcome: "session_closed", lifecycle: "closed", changed: false, observation_token: token }
    const seen = await wait
    expect(seen).toMatchObject(ended)
    expect(seen.waited_ms).toBeLessThan(2000)
    const again = await observed(waiting(board, token))
    expect(again).toMatchObject(ended)
    expect(again.waited_ms).toBeLessThan(500)
  })

  it("each change of a board wakes its waiters: resolving, completing, a first acknowledgement", async () => {
    await using board = await startBoard()
    const [note, todo, asked] = [
      await board.post("note"),
      await board.post("todo"),
      await board.post("note", { requires_ack: true }),
    ]
    const fence = await board.fence(todo)
    const wrapper = { ack_session_message_ids: [asked] }
    for (const change of [
      () => board.ok("resolve_session_message", { session_id: board.s, message_id: note }),
      () => board.complete(todo, { expected_assignment_fence: fence }),
      () => board.call("list_tools", { limit: 1 }, { recorder: board.s, wrapper }),
    ]) {
      const wait = observed(waiting(board, await board.baseline()))
      await later(100)
      await change()
      expect(await wait).toMatchObject({ wait_outcome: "updated", changed: true })
    }
  })

  it("a call that a Session records waits as well, and its ledger has one start and one end", async () => {
    await using board = await startBoard()
    const eventsOf = async () => (await board.ok("session_summary", { session_id: board.w }))["events_retained"]
    const before = Number(await eventsOf())
    const wait = waiting(board, await board.baseline(), {}, { recorder: board.w })
    await later(200)
    const id = await board.post("note")
    const { result } = await wait
    expect(result).toMatchObject({ success: true, output: { wait_outcome: "updated", messages: [{ message_id: id }] } })
    expect(Number(await eventsOf()) - before).toBe(2)
  })

  it("something new already answers at once", async () => {
    await using board = await startBoard()
    const token = await board.baseline()
    await board.post("note")
    expect(await observed(waiting(board, token))).toMatchObject({ wait_outcome: "immediate", waited_ms: 0 })
  })

  it("a wait ends a second before its call's deadline, as a success", async () => {
    await using board = await startBoard()
    const seen = await observed(waiting(board, await board.baseline(), {}, { deadlineMs: 2000 }))
    expect(seen.wait_outcome).toBe("timeout")
    expect(seen.waited_ms).toBeLessThan(1900)
  })

  it("a shutdown ends waits as a timeout; a caller who is gone ends the call as cancelled", async () => {
    await using board = await startBoard()
    const token = await board.baseline()
    const gone = new AbortController()
    const left = waiting(board, token, {}, { signal: gone.signal })
    const stays = observed(waiting(board, token))
    await later(200)
    gone.abort("client_gone")
    expect((await left).result).toMatchObject({ success: false, error: { kind: "cancelled" } })
    await board.kernel.drain()
    expect(await stays).toMatchObject({ wait_outcome: "timeout", changed: false })
  })

  it("two waits of one board and one post: both are woken", async () => {
    await using board = await startBoard()
    const token = await board.baseline()
    const both = [observed(waiting(board, token)), observed(waiting(board, token))]
    await later(100)
    const id = await board.post("note")
    for (const wait of both) expect((await wait).messages.map(({ message_id }) => message_id)).toEqual([id])
  })
})
