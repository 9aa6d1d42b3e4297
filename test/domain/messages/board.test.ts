import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import Sqlite from "better-sqlite3"
import { describe, expect, it } from "vitest"
import { createHarness } from "../../support/harness.ts"
import { type BoardUnderTest, startBoard } from "./board-under-test.ts"

const idsOf = (messages: readonly { readonly message_id: string }[]) => messages.map(({ message_id }) => message_id)

const retained = async (board: BoardUnderTest) =>
  (await board.ok("list_session_messages", { session_id: board.s })).retained

describe("retention", () => {
  it("M37: a board full of open todos refuses a note, never a completion, and then evicts what was settled", async () => {
    await using board = await startBoard()
    const todos: string[] = []
    for (let todo = 0; todo < 200; todo += 1) todos.push(await board.post("todo"))
    const note = { session_id: board.s, kind: "note", message: "x" }
    expect(await board.fails("post_session_message", note)).toMatchObject({
      kind: "message_board_full",
      recovery: "reobserve",
      details: {
        retained: 200,
        open_counts: { guidance: 0, question: 0, todo: 200, risk: 0 },
        ack_required_open: 0,
      },
    })
    const [todo = ""] = todos
    const { answer_message_id } = await board.complete(todo, { expected_assignment_fence: await board.fence(todo) })
    expect(await retained(board)).toBe(201)
    const posted = await board.post("note")
    expect(await retained(board)).toBe(200)
    for (const [message_id, held] of [
      [todo, 0],
      [answer_message_id, 0],
      [posted, 1],
    ])
      expect(await board.list({ message_id })).toHaveLength(Number(held))
  })

  it("M38: what obliges somebody outlives 500 notes, a plain note does not", async () => {
    await using board = await startBoard()
    const [risk, asked, plain] = [
      await board.post("risk"),
      await board.post("note", { requires_ack: true }),
      await board.post("note"),
    ]
    await board.notes(500)
    for (const [message_id, held] of [
      [risk, 1],
      [asked, 1],
      [plain, 0],
    ])
      expect(await board.list({ message_id })).toHaveLength(Number(held))
    expect(await retained(board)).toBe(200)
  })

  it("M39: the message that has been unchanged longest goes first", async () => {
    await using board = await startBoard()
    const [first] = await board.notes(199)
    const todo = await board.post("todo")
    await board.ok("resolve_session_message", { session_id: board.s, message_id: todo })
    await board.post("note")
    expect(await board.list({ message_id: first })).toEqual([])
    expect(await board.list({ message_id: todo })).toHaveLength(1)
  })
})

describe("posting and reading", () => {
  it("M40: a delivery key posts once, from two servers at once too; other content is a conflict", async () => {
    await using board = await startBoard()
    await using beside = await createHarness({ beside: board })
    const input = { session_id: board.s, kind: "note", message: "once", delivery_key: "d" }
    const both = await Promise.all([
      board.ok("post_session_message", input),
      beside.ok("post_session_message", { ...input, delivery_key: " d " }),
    ])
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true])
    expect(new Set(both.map(({ message_id }) => message_id)).size).toBe(1)
    expect(await board.list()).toHaveLength(1)
    expect(await board.fails("post_session_message", { ...input, message: "twice" })).toMatchObject({
      kind: "idempotency_conflict",
      details: { message_id: both[0].message_id },
    })
    expect(await board.fails("post_session_message", input, { recorder: board.w })).toMatchObject({
      kind: "idempotency_conflict",
    })
    await board.ok("resolve_session_message", { session_id: board.s, message_id: both[0].message_id })
    expect(await board.ok("post_session_message", input)).toMatchObject({ replayed: true, state_changed: false })
  })

  it("M41: bounds count characters; white space, control characters and lone surrogates are named", async () => {
    await using board = await startBoard()
    const text = "😀".repeat(8000)
    await board.post("note", { message: text, tags: [" a ", "a", "", "b"] })
    expect(await board.list()).toMatchObject([{ message: text, tags: ["a", "b"] }])
    const fails = (more: object) =>
      board.fails("post_session_message", { session_id: board.s, kind: "note", message: "x", ...more })
    expect(await fails({ message: `${text}x` })).toMatchObject({
      kind: "invalid_arguments",
      details: { field: "message" },
    })
    for (const [more, field, reason] of [
      [{ message: "  " }, "message", "empty"],
      [{ message: "a\u0000" }, "message", "control"],
      [{ message: "\ud800" }, "message", "malformed"],
      [{ tags: ["a\nb"] }, "tags", "one_line"],
      [{ tags: ["a\tb"] }, "tags", "control"],
      [{ delivery_key: "  " }, "delivery_key", "empty"],
    ] as const)
      expect(await fails(more)).toMatchObject({
        kind: "invalid_session_message",
        recovery: "fix_input",
        details: { field, reason },
      })
    expect(await board.list()).toHaveLength(1)
  })

  it("M42: a reply to a message that is not there, or elsewhere, is one answer and stores nothing", async () => {
    await using board = await startBoard()
    const elsewhere = await board.post("note", { session_id: board.c })
    for (const reply_to of ["wc_msg_AAAAAAAAAAAAAAAA", elsewhere])
      expect(
        await board.fails("post_session_message", { session_id: board.s, kind: "note", message: "x", reply_to }),
      ).toMatchObject({ kind: "unknown_message_id", details: { field: "reply_to" } })
    expect(await board.list()).toEqual([])
    expect(await board.revision()).toBe(0)
  })

  it("M43: filters go together, a limit of 0 counts, and pages are newest first without repeats", async () => {
    await using board = await startBoard()
    const notes = await board.notes(3)
    const [open, settled] = [await board.post("todo"), await board.post("todo")]
    await board.ok("resolve_session_message", { session_id: board.s, message_id: settled })
    const list = (filter: object) => board.ok("list_session_messages", { session_id: board.s, ...filter })
    expect(await list({ kind: "todo", status: "open" })).toMatchObject({
      messages: [{ message_id: open }],
      matched: 1,
      retained: 5,
    })
    expect(await list({ limit: 0 })).toEqual({ session_id: board.s, messages: [], matched: 5, retained: 5 })
    const pages: (readonly string[])[] = []
    let more: object | undefined = {}
    while (more !== undefined) {
      const page = await list({ limit: 2, ...more })
      pages.push(idsOf(JSON.parse(JSON.stringify(page.messages))))
      more = page.next_before_message_id === undefined ? undefined : { before_message_id: page.next_before_message_id }
    }
    expect(pages).toEqual([[settled, open], [notes[2], notes[1]], [notes[0]]])
    expect(await list({ message_id: "wc_msg_AAAAAAAAAAAAAAAA" })).toMatchObject({ messages: [], matched: 0 })
    expect(
      await board.fails("list_session_messages", { session_id: board.s, before_message_id: "wc_msg_AAAAAAAAAAAAAAAA" }),
    ).toMatchObject({ kind: "unknown_message_id", details: { field: "before_message_id" } })
  })

  it("M45: a secret in a post is masked before it is stored, and the reply says so", async () => {
    await using board = await startBoard()
    const posted = await board.ok("post_session_message", {
      session_id: board.s,
      kind: "note",
      message: "key api_key=abcdefgh12",
      tags: ["ok"],
    })
    expect(posted.redactions).toBe(1)
    expect((await board.list())[0]?.message).toBe("key api_key=[redacted:api_key]")
    const files = readdirSync(board.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(0)
    for (const file of files)
      expect(readFileSync(path.join(file.parentPath, file.name)).includes("abcdefgh12")).toBe(false)
  })

  it("M48: a completed todo takes no other resolution; one settled by text takes another text once", async () => {
    await using board = await startBoard()
    const [completed, settled] = [await board.post("todo"), await board.post("todo")]
    const { answer_message_id, completion_id } = await board.complete(completed, {
      expected_assignment_fence: await board.fence(completed),
    })
    const resolve = (message_id: string, more: object = {}) => ({ session_id: board.s, message_id, ...more })
    await board.ok("resolve_session_message", resolve(settled, { resolution: "no need" }))
    expect(await board.ok("resolve_session_message", resolve(completed))).toMatchObject({
      changed: false,
      already_resolved: true,
    })
    expect(await board.fails("resolve_session_message", resolve(completed, { resolution: "x" }))).toMatchObject({
      kind: "already_completed",
      details: { answer_message_id, completion_id },
    })
    const again = resolve(settled, { resolution: "x" })
    expect(await board.ok("resolve_session_message", again)).toMatchObject({ changed: true })
    expect(await board.ok("resolve_session_message", again)).toMatchObject({ changed: false })
    expect(await board.fails("resolve_session_message", resolve("wc_msg_AAAAAAAAAAAAAAAA"))).toMatchObject({
      kind: "unknown_message_id",
      details: { field: "message_id" },
    })
  })

  it("M49: a read-only Session's board works", async () => {
    await using board = await startBoard()
    const session_id = await board.session({ project: "a", mode: "read_only" })
    const { message_id } = await board.ok("post_session_message", { session_id, kind: "todo", message: "x" })
    const { assignment_fence } = await board.ok("get_session_assignment", { session_id, message_id })
    const answer = {
      session_id,
      message_id,
      answer: "y",
      completion_key: "k",
      expected_assignment_fence: assignment_fence,
    }
    const { answer_message_id } = await board.ok("complete_session_message", answer)
    await board.ok("resolve_session_message", { session_id, message_id: answer_message_id })
    expect(await board.ok("observe_session_messages", { session_id })).toMatchObject({ changed: false })
  })

  it("session_discussion_summary groups what is open and what is new", async () => {
    await using board = await startBoard()
    const post = (kind: string, priority: string) => board.post(kind, { priority, message: "m".repeat(300) })
    const [low, high, normal] = [await post("todo", "low"), await post("todo", "high"), await post("todo", "normal")]
    const done = await board.post("todo")
    const { answer_message_id } = await board.complete(done, { expected_assignment_fence: await board.fence(done) })
    const plain = await board.post("answer")
    const summary = await board.ok("session_discussion_summary", { session_id: board.s, limit: 2 })
    const group: (name: string) => { items: { message_id: string }[]; total: number; truncated: boolean } = (name) =>
      JSON.parse(JSON.stringify(summary[name]))
    expect(summary).toMatchObject({
      lifecycle: "active",
      counts: { retained: 6, open: 5, resolved: 1, ack_required_open: 0, by_kind: { todo: 4, answer: 2, note: 0 } },
    })
    expect(idsOf(group("open_todos").items)).toEqual([high, normal])
    expect(group("open_todos")).toMatchObject({ total: 3, truncated: true })
    expect(group("open_todos").items[0]).toMatchObject({ excerpt: "m".repeat(240), truncated: true })
    expect(idsOf(group("high_priority_open_todos").items)).toEqual([high])
    expect(idsOf(group("recent_answers").items)).toEqual([plain, answer_message_id])
    expect(group("recent_completions").items).toMatchObject([
      { message_id: answer_message_id, completed_message_id: done },
    ])
    expect(await board.ok("session_summary", { session_id: board.s })).toMatchObject({
      board: { retained: 6, open_counts: { todo: 3 }, ack_required_open: 0 },
    })
    expect(low).not.toBe(high)
  })

  it("a damaged row is counted, said to be lost, blocks only its own assignment, and can be resolved", async () => {
    await using board = await startBoard()
    const t0 = await board.baseline()
    const [todo, other] = [await board.post("todo"), await board.post("todo")]
    const reply = await board.post("note", { reply_to: todo })
    const fence = await board.fence(todo)
    const database = new Sqlite(path.join(board.dataDir, "holdfast.db"))
    database.prepare("update session_messages set tags_json = '{' where message_id = ?").run(reply)
    database.close()
    expect(await board.ok("list_session_messages", { session_id: board.s })).toMatchObject({
      unreadable: 1,
      matched: 3,
    })
    expect(await board.ok("session_discussion_summary", { session_id: board.s })).toMatchObject({ unreadable: 1 })
    const seen = await board.observe(t0)
    expect(seen).toMatchObject({ history_lost: true, has_more: false })
    expect(idsOf(seen.messages)).toEqual([todo, other])
    const get = { session_id: board.s, message_id: todo }
    const unreadable = { kind: "message_unreadable", details: { message_id: reply } }
    expect(await board.fails("get_session_assignment", get)).toMatchObject(unreadable)
    const answer = { ...get, answer: "x", completion_key: "k", expected_assignment_fence: fence }
    expect(await board.fails("complete_session_message", answer)).toMatchObject(unreadable)
    expect(await board.ok("resolve_session_message", { session_id: board.s, message_id: reply })).toMatchObject({
      changed: true,
    })
    expect(await board.complete(other, { expected_assignment_fence: await board.fence(other) })).toMatchObject({
      replayed: false,
    })
  })

  it("ledgers hold facts about messages, never their texts, keys, tokens or fences", async () => {
    await using board = await startBoard()
    const how = { recorder: board.w }
    const todo = await board.post("todo", { message: "zq-text-1", tags: ["zq-tag-2"], delivery_key: "zq-key-3" }, how)
    const { observation_token, ...rest } = await board.ok("observe_session_messages", { session_id: board.s }, how)
    expect(rest).toBeDefined()
    const fence = await board.fence(todo)
    const { completion_id } = await board.complete(
      todo,
      { answer: "zq-answer-4", completion_key: "zq-key-5", expected_assignment_fence: fence },
      how,
    )
    const ledger = JSON.stringify(await board.callEvents(board.w))
    for (const secret of [
      "zq-text-1",
      "zq-tag-2",
      "zq-key-3",
      "zq-answer-4",
      "zq-key-5",
      fence,
      observation_token,
      completion_id,
    ])
      expect(ledger).not.toContain(String(secret))
    expect(ledger).toContain(todo)
    const finishes = (await board.callEvents(board.w)).filter((event) => event.kind === "tool_call_finished")
    expect(finishes.map(({ tool_name, facts, evidence }) => [tool_name, facts, evidence])).toMatchObject([
      ["post_session_message", { message_id: todo, replayed: false }, { state_changed: true }],
      ["observe_session_messages", { returned: 0, changed: false }, undefined],
      ["complete_session_message", { replayed: false }, { state_changed: true }],
    ])
  })
})
