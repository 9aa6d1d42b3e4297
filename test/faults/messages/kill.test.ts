import { expect, it } from "vitest"
import { startBoard } from "../../domain/messages/board-under-test.ts"
import { createHarness } from "../../support/harness.ts"
import { killAfter } from "./board-processes.ts"

const LIMIT = { timeout: 180_000 }

it("M46: no post whose reply was read is missing after kill -9, over 500 posts", LIMIT, async () => {
  await using board = await startBoard()
  const posted: string[] = []
  for (let round = 0; posted.length < 500; round += 1) {
    const before = await board.revision()
    const said = (await killAfter(board, "post", 1 + ((round * 37) % 90))).map(String)
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

it("M9: a token outlives kill -9, and another process shows the right delta", LIMIT, async () => {
  await using board = await startBoard()
  const token = await board.baseline()
  const said = (await killAfter(board, "post", 5)).map(String)
  await using restarted = await createHarness({ beside: board })
  const seen = await restarted.ok("observe_session_messages", { session_id: board.s, after_observation_token: token })
  const messages: { message_id: string }[] = JSON.parse(JSON.stringify(seen.messages))
  expect(messages.slice(0, said.length).map(({ message_id }) => message_id)).toEqual(said)
  expect(seen).toMatchObject({ changed: true, history_lost: false, has_more: false })
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
