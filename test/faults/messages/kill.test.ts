import { expect, it } from "vitest"
import { startBoard } from "../../domain/messages/board-under-test.ts"
import { createHarness } from "../../support/harness.ts"
import { killAfter } from "./board-processes.ts"

const LIMIT = { timeout: 180_000 }
/** `HOLDFAST_FULL=1` kills after every post; without it after some. */
const isFull = process.env.HOLDFAST_FULL === "1"

it("M46: no post whose reply was read is missing after kill -9, over 500 posts", {
  timeout: isFull ? 7_200_000 : 300_000,
}, async () => {
  await using board = await startBoard()
  const posted: string[] = []
  for (let round = 0; posted.length < 500; round += 1) {
    const before = await board.revision()
    const said = (await killAfter(board, "post", isFull ? 1 : 1 + ((round * 37) % 90))).map(String)
    expect(said.length).toBeGreaterThan(0)
    const held = await board.list({ limit: 100 })
    expect(held.map(({ message_id }) => message_id)).toEqual(expect.arrayContaining(said.slice(-90)))
    // At most the one post that was on its way when the process died is there without having been said.
    expect((await board.revision()) - before - said.length).toBeLessThanOrEqual(1)
    expect((await board.revision()) - before).toBeGreaterThanOrEqual(said.length)
    posted.push(...said)
  }
  expect(new Set(posted).size).toBe(posted.length)
})

it("M9: a token and a fence outlive kill -9, and another process shows the right delta", LIMIT, async () => {
  await using board = await startBoard()
  const token = await board.baseline()
  const todo = await board.post("todo")
  const { assignment_fence } = await board.ok("get_session_assignment", { session_id: board.s, message_id: todo })
  const said = (await killAfter(board, "post", 5)).map(String)
  await using restarted = await createHarness({ beside: board })
  const seen = await restarted.ok("observe_session_messages", { session_id: board.s, after_observation_token: token })
  const messages: { message_id: string }[] = JSON.parse(JSON.stringify(seen.messages))
  expect(messages.slice(0, 1 + said.length).map(({ message_id }) => message_id)).toEqual([todo, ...said])
  expect(seen).toMatchObject({ changed: true, history_lost: false, has_more: false })
  // A fence of before the kill is as good.
  const completion = {
    message_id: todo,
    answer: "done",
    completion_key: "k",
    expected_assignment_fence: assignment_fence,
  }
  expect(await restarted.ok("complete_session_message", { session_id: board.s, ...completion })).toMatchObject({
    replayed: false,
  })
})

it("a kill leaves a todo open without an answer, or resolved with its one answer", LIMIT, async () => {
  await using board = await startBoard()
  for (let round = 1; round <= 6; round += 1) {
    const said = await killAfter(board, "complete", 3 * round)
    expect(said.length).toBeGreaterThanOrEqual(3 * round)
    const todos = await board.list({ kind: "todo" })
    for (const todo of todos) {
      const answers = await board.list({ kind: "answer", reply_to: todo.message_id })
      const answered = todo.status === "resolved" ? [todo.resolved_by_message_id] : []
      expect(answers.map(({ message_id }) => message_id)).toEqual(answered)
    }
    for (const line of JSON.parse(JSON.stringify(said)))
      if (line.completed !== undefined)
        expect(await board.list({ message_id: line.completed })).toMatchObject([{ status: "resolved" }])
  }
})
