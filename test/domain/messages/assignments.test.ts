import { describe, expect, it } from "vitest"
import { ToolError } from "../../../core/kernel/error.ts"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import type { Tx } from "../../../core/store.ts"
import { createHarness } from "../../support/harness.ts"
import { type BoardUnderTest, startBoard, vectorOptions } from "./board-under-test.ts"

/** The error and output of a completion of S that has to fail. */
async function refused(board: BoardUnderTest, messageId: string, more: object, how = {}) {
  const { result, httpStatus } = await board.call(
    "complete_session_message",
    { session_id: board.s, message_id: messageId, answer: "done", completion_key: "k", ...more },
    how,
  )
  if (result.success) throw new Error("the completion succeeded")
  expect(httpStatus).toBe(200)
  const { kind, details, recovery } = result.error
  return { kind, details, recovery, output: result.output }
}

const answersOf = (board: BoardUnderTest, replyTo: string) => board.list({ kind: "answer", reply_to: replyTo })

describe("assignments", () => {
  it("M24: fences are the two vectors, without and with a reply", async () => {
    await using harness = await createHarness(vectorOptions())
    const session_id = await harness.session()
    const post = (input: object) => harness.ok("post_session_message", { session_id, ...input })
    const { message_id } = await post({ kind: "todo", message: "fix the parser" })
    const get = () => harness.ok("get_session_assignment", { session_id, message_id })
    const first = await get()
    expect(first).toMatchObject({
      todo: { message: "fix the parser", created_at: 1_700_000_000_000 },
      direct_replies: [],
      assignment_fence: "wsa1_cjoTf3szxA0gDmKvTSkdSnqX31L-EO57-T6p8Negr9Y",
    })
    await post({ kind: "progress", message: "half done", reply_to: message_id })
    expect(await get()).toMatchObject({
      direct_replies: [{ message: "half done", created_at: 1_700_000_000_500 }],
      assignment_fence: "wsa1_ILAORU9lI_0Bf5G2Xe5IMGeSzbFNRg9-FXcQAs-pLNE",
    })
  })

  it("M25: other messages, replies to replies and acknowledgements leave a fence fresh", async () => {
    await using board = await startBoard()
    const todo = await board.post("todo", { requires_ack: true })
    const reply = await board.post("progress", { reply_to: todo, requires_ack: true })
    const fence = await board.fence(todo)
    await board.notes(20)
    await board.post("note", { reply_to: reply })
    const wrapper = { ack_session_message_ids: [todo, reply] }
    const { session_attention } = await board.attached("list_tools", {}, { recorder: board.s, wrapper })
    expect(session_attention?.ack).toEqual({ accepted_count: 2, ignored_count: 0 })
    expect(await board.fence(todo)).toBe(fence)
    expect(await board.complete(todo, { expected_assignment_fence: fence })).toMatchObject({
      replayed: false,
      state_changed: true,
    })
  })

  it("M26: a todo with its reply and answer outlives any number of notes", async () => {
    await using board = await startBoard()
    await board.notes(150)
    const todo = await board.post("todo")
    const reply = await board.post("note", { reply_to: todo })
    const fence = await board.fence(todo)
    await board.notes(75)
    const { answer_message_id } = await board.complete(todo, { expected_assignment_fence: fence })
    for (const message_id of [todo, reply, answer_message_id])
      expect(await board.list({ message_id })).toMatchObject([{ message_id }])
  })

  it("M27: a new direct reply makes the fence stale, shows only the assignment, and the same key then completes", async () => {
    await using board = await startBoard()
    await board.post("note", { message: "secret plan" })
    const todo = await board.post("todo")
    const fence = await board.fence(todo)
    const reply = await board.post("question", { reply_to: todo })
    const stale = await refused(board, todo, { expected_assignment_fence: fence })
    expect(stale).toMatchObject({
      kind: "assignment_stale",
      recovery: "reobserve",
      details: { reason: "changed", reply_count: 1 },
      output: {
        state_changed: false,
        current_assignment: { todo: { message_id: todo, status: "open" }, direct_replies: [{ message_id: reply }] },
        fresh_assignment_fence: await board.fence(todo),
      },
    })
    expect(JSON.stringify(stale)).not.toContain("secret plan")
    expect(await answersOf(board, todo)).toEqual([])
    expect(await board.complete(todo, { expected_assignment_fence: await board.fence(todo) })).toMatchObject({
      replayed: false,
      state_changed: true,
    })
  })

  it("M28: a resolved reply, and a resolved todo, are stale, the latter without a fresh fence", async () => {
    await using board = await startBoard()
    const todo = await board.post("todo")
    const reply = await board.post("note", { reply_to: todo })
    const resolve = (message_id: string) => board.ok("resolve_session_message", { session_id: board.s, message_id })
    const fence = await board.fence(todo)
    await resolve(reply)
    const changed = await refused(board, todo, { expected_assignment_fence: fence })
    expect(changed).toMatchObject({
      details: { reason: "changed" },
      output: { fresh_assignment_fence: expect.any(String) },
    })
    await resolve(todo)
    const resolved = await refused(board, todo, { expected_assignment_fence: fence })
    expect(resolved).toMatchObject({ kind: "assignment_stale", details: { reason: "resolved", reply_count: 1 } })
    expect(resolved.output).not.toHaveProperty("fresh_assignment_fence")
  })

  it("M29: a fence of another todo or Session is stale; what is no fence, or absent, is refused as such", async () => {
    await using board = await startBoard()
    const [one, two] = [await board.post("todo"), await board.post("todo")]
    const foreign = await board.post("todo", { session_id: board.c })
    const of = (session_id: string, message_id: string) =>
      board.ok("get_session_assignment", { session_id, message_id })
    for (const fence of [await board.fence(one), (await of(board.c, foreign)).assignment_fence])
      expect(await refused(board, two, { expected_assignment_fence: fence })).toMatchObject({
        kind: "assignment_stale",
      })
    expect(await refused(board, two, { expected_assignment_fence: await board.baseline() })).toMatchObject({
      kind: "invalid_assignment_fence",
    })
    const absent = { session_id: board.s, message_id: two, answer: "x", completion_key: "k" }
    expect(await board.fails("complete_session_message", absent)).toMatchObject({
      kind: "invalid_arguments",
      details: { field: "expected_assignment_fence" },
    })
  })

  it("M30: the same call repeats the first answer, also after a later reply and from a restarted server", async () => {
    await using board = await startBoard()
    const todo = await board.post("todo")
    const input = { expected_assignment_fence: await board.fence(todo) }
    const first = await board.complete(todo, input)
    const revision = await board.revision()
    const replay = { ...first, state_changed: false, replayed: true }
    expect(await board.complete(todo, input)).toEqual(replay)
    expect(await board.revision()).toBe(revision)
    await board.post("note", { reply_to: todo })
    await using restarted = await createHarness({ beside: board })
    expect(
      await restarted.ok("complete_session_message", {
        session_id: board.s,
        message_id: todo,
        answer: " done ",
        completion_key: " k ",
        priority: "normal",
        ...input,
      }),
    ).toEqual(replay)
  })

  it("M31, M32: other content under the key, or another author, is a conflict; another key meets what is completed", async () => {
    await using board = await startBoard()
    const todo = await board.post("todo")
    const fence = await board.fence(todo)
    const by = { recorder: board.w }
    const { answer_message_id, completion_id } = await board.complete(todo, { expected_assignment_fence: fence }, by)
    const other = `${fence.slice(0, -1)}${fence.endsWith("A") ? "E" : "A"}`
    for (const [more, how] of [
      [{ answer: "other" }, by],
      [{ tags: ["t"] }, by],
      [{ priority: "high" }, by],
      [{ expected_assignment_fence: other }, by],
      [{}, {}],
    ] as const)
      expect(await refused(board, todo, { expected_assignment_fence: fence, ...more }, how)).toMatchObject({
        kind: "idempotency_conflict",
        details: { answer_message_id },
      })
    expect(await refused(board, todo, { completion_key: "k2", expected_assignment_fence: fence }, by)).toMatchObject({
      kind: "already_completed",
      recovery: "none",
      details: { answer_message_id, completion_id },
    })
    expect(await answersOf(board, todo)).toHaveLength(1)
  })

  it("M33: a todo takes 16 direct replies, replies to replies without bound, and stays completable", async () => {
    await using board = await startBoard()
    const todo = await board.post("todo")
    const replies: string[] = []
    for (let reply = 0; reply < 16; reply += 1) replies.push(await board.post("note", { reply_to: todo }))
    const revision = await board.revision()
    const one = { session_id: board.s, kind: "note", message: "x", reply_to: todo }
    expect(await board.fails("post_session_message", one)).toMatchObject({
      kind: "assignment_too_large",
      details: { reply_count: 16, max_replies: 16 },
    })
    expect(await board.revision()).toBe(revision)
    await board.post("note", { reply_to: replies[0] })
    const { direct_replies, assignment_fence } = await board.ok("get_session_assignment", {
      session_id: board.s,
      message_id: todo,
    })
    expect(direct_replies).toHaveLength(16)
    expect(await board.complete(todo, { expected_assignment_fence: assignment_fence })).toMatchObject({
      replayed: false,
    })
  })

  it("M34: two stores over one data directory complete each of 100 todos once", { timeout: 60_000 }, async () => {
    await using board = await startBoard()
    await using beside = await createHarness({ beside: board })
    for (let round = 0; round < 100; round += 1) {
      const todo = await board.post("todo")
      const input = {
        session_id: board.s,
        message_id: todo,
        answer: "done",
        expected_assignment_fence: await board.fence(todo),
      }
      const both = await Promise.all([
        board.call("complete_session_message", { ...input, completion_key: "k1" }),
        beside.call("complete_session_message", { ...input, completion_key: "k2" }),
      ])
      const kinds = both.map(({ result }) => (result.success ? "success" : result.error.kind)).sort()
      expect(kinds).toEqual(["already_completed", "success"])
      expect(await answersOf(board, todo)).toHaveLength(1)
    }
  })

  it("M35: the author is the recorder, or nobody; it cannot be stated", async () => {
    await using board = await startBoard()
    const complete = async (how: object) => {
      const todo = await board.post("todo")
      await board.complete(todo, { expected_assignment_fence: await board.fence(todo) }, how)
      return (await answersOf(board, todo))[0]?.author_session_id
    }
    expect(await complete({ recorder: board.w })).toBe(board.w)
    expect(await complete({})).toBeUndefined()
    const body = { session_id: board.s, kind: "note", message: "x", author_session_id: board.w }
    expect(await board.fails("post_session_message", body)).toMatchObject({
      kind: "invalid_arguments",
      details: { unknown_fields: ["author_session_id"] },
    })
  })

  it("M36: a recorder of another Project reads and changes nothing", async () => {
    await using board = await startBoard()
    await board.project("b")
    const recorder = await board.session({ project: "b" })
    const todo = await board.post("todo")
    const expected_assignment_fence = await board.fence(todo)
    const before = await board.revision()
    const session = { session_id: board.s }
    for (const [tool, input] of [
      ["complete_session_message", { message_id: todo, answer: "x", completion_key: "k", expected_assignment_fence }],
      ["post_session_message", { kind: "note", message: "x" }],
      ["list_session_messages", {}],
    ] as const)
      expect(await board.fails(tool, { ...session, ...input }, { recorder })).toMatchObject({
        kind: "session_project_mismatch",
      })
    expect(await board.revision()).toBe(before)
    expect(await board.events(recorder)).toHaveLength(1)
  })

  it("M44: a note has no assignment; a resolved todo is not open", async () => {
    await using board = await startBoard()
    const [note, todo] = [await board.post("note"), await board.post("todo")]
    const fence = await board.fence(todo)
    const get = (message_id: string) => board.fails("get_session_assignment", { session_id: board.s, message_id })
    expect(await get(note)).toMatchObject({ kind: "session_message_not_todo", http: 200 })
    expect(await refused(board, note, { expected_assignment_fence: fence })).toMatchObject({
      kind: "session_message_not_todo",
    })
    const { answer_message_id } = await board.complete(todo, { expected_assignment_fence: fence })
    expect(await get(todo)).toMatchObject({ kind: "message_not_open", details: { answer_message_id } })
    expect(await get("wc_msg_AAAAAAAAAAAAAAAA")).toMatchObject({
      kind: "unknown_message_id",
      details: { field: "message_id" },
    })
  })

  it.each(["before", "after"] as const)(
    "M47: a commit of which nobody knows (cut %s it happened) is uncertain; the identical call ends with one answer",
    async (cut) => {
      let isCut = false
      await using board = await startBoard({
        wrapStore: (store) => ({
          read: (work) => store.read(work),
          readOnce: (work) => store.readOnce(work),
          facts: () => store.facts(),
          instanceKey: () => store.instanceKey(),
          close: () => store.close(),
          async write(work) {
            if (!isCut) return store.write(work)
            const lost = new ToolError("outcome_unknown", "The connection was lost in a commit.")
            let completes = false
            const revision = async (tx: Tx) => (await tx.messages.board(sessionIdSchema.parse(board.s)))?.revision
            const result = await store.write(async (tx) => {
              const before = await revision(tx)
              const value = await work(tx)
              completes = (await revision(tx)) !== before
              if (completes) isCut = false
              if (completes && cut === "before") throw lost
              return value
            })
            if (completes) throw lost
            return result
          },
        }),
      })
      const todo = await board.post("todo")
      const input = { expected_assignment_fence: await board.fence(todo) }
      isCut = true
      const { result } = await board.call("complete_session_message", {
        session_id: board.s,
        message_id: todo,
        answer: "done",
        completion_key: "k",
        ...input,
      })
      expect(result).toMatchObject({
        success: false,
        error: {
          kind: "completion_persistence_uncertain",
          recovery: "retry_same",
          execution_state: "outcome_unknown",
        },
      })
      expect(await board.complete(todo, input)).toMatchObject({ replayed: cut === "after" })
      expect(await answersOf(board, todo)).toHaveLength(1)
    },
  )

  it("a long assignment lists every member with cut texts, and its fence covers the whole ones", async () => {
    await using board = await startBoard()
    const todo = await board.post("todo", { message: "t".repeat(8000) })
    for (let reply = 0; reply < 16; reply += 1) await board.post("note", { reply_to: todo, message: "r".repeat(4000) })
    const got = await board.ok("get_session_assignment", { session_id: board.s, message_id: todo })
    const replies: { message: string; message_truncated?: true }[] = JSON.parse(JSON.stringify(got.direct_replies))
    expect(replies).toHaveLength(16)
    expect(replies[0]).toMatchObject({ message: "r".repeat(240), message_truncated: true })
    expect(replies.at(-1)).toMatchObject({ message: "r".repeat(4000) })
    expect(got.todo).toMatchObject({ message: "t".repeat(8000) })
    expect(await board.complete(todo, { expected_assignment_fence: got.assignment_fence })).toMatchObject({
      replayed: false,
    })
  })
})
