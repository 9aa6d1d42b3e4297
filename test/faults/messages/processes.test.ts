import { expect, it } from "vitest"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { type Shown, startBoard } from "../../domain/messages/board-under-test.ts"
import { runProcess } from "./board-processes.ts"

const LIMIT = { timeout: 120_000 }

it("M34: two processes with one fence complete each of 100 todos once", LIMIT, async () => {
  await using board = await startBoard()
  const todos: (readonly [string, string])[] = []
  for (let todo = 0; todo < 100; todo += 1) {
    const id = await board.post("todo")
    todos.push([id, await board.fence(id)])
  }
  const [one = [], two = []] = await Promise.all(
    ["k1", "k2"].map((key, index) =>
      runProcess(board, "race", { key, todos: index === 0 ? todos : [...todos].reverse() }),
    ),
  )
  const outcomes = todos.map((_, index) => [one[index], two[todos.length - 1 - index]].sort())
  expect(outcomes).toEqual(todos.map(() => ["already_completed", "success"]))
  for (const [todo] of todos) expect(await board.list({ kind: "answer", reply_to: todo })).toHaveLength(1)
})

it("M-I1, M-I3: what an observer saw of two writing processes is the newest state of everything", LIMIT, async () => {
  await using board = await startBoard()
  let token = await board.baseline()
  const seen = new Map<string, Shown>()
  const look = async (limit: number): Promise<boolean> => {
    const page = await board.observe(token, { limit })
    token = page.observation_token
    expect(page.history_lost).toBe(false)
    for (const message of page.messages) seen.set(message.message_id, message)
    return page.has_more
  }
  let writing = true
  const writers = Promise.all([60, 60].map((count) => runProcess(board, "chatter", { count }))).finally(() => {
    writing = false
  })
  for (let turn = 0; writing; turn += 1) {
    await look(1 + (turn % 9))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const posted = (await writers).flat()
  while (await look(50));
  const rows = await board.store.read((tx) => tx.messages.all(sessionIdSchema.parse(board.s)))
  const revisions = rows.map(({ message }) => message.revision)
  expect(new Set(revisions).size).toBe(revisions.length)
  expect(Math.max(...revisions)).toBe(await board.revision())
  expect(rows.map(({ message }) => message.pos)).toEqual(rows.map((_, index) => index + 1))
  const held = [
    ...(await board.list()),
    ...(await board.list({ before_message_id: (await board.list()).at(-1)?.message_id })),
  ]
  expect(held).toHaveLength(rows.length)
  for (const message of held) expect(seen.get(message.message_id)).toEqual(message)
  expect(posted.length).toBe(120)
})
