import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { ToolError } from "../../../core/kernel/error.ts"
import type { SessionAttention } from "../../../core/messages/attention.ts"
import type { Tx } from "../../../core/store.ts"
import { createHarness } from "../../support/harness.ts"
import { type BoardUnderTest, startBoard } from "./board-under-test.ts"

const HTTP = { door: "http" as const }
const acks = (...ids: readonly string[]) => ({ wrapper: { ack_session_message_ids: ids } })

/** The attention of a call recorded in S. */
async function attention(board: BoardUnderTest, how: object = {}): Promise<SessionAttention | undefined> {
  return (await board.attached("list_tools", { limit: 1 }, { recorder: board.s, ...how })).session_attention
}

/** A transaction in which stamping an acknowledgement fails, as on a disk that is full. */
function withoutAcks(tx: Tx): Tx {
  const acknowledge = () => Promise.reject(new ToolError("storage_unavailable", "The disk is full."))
  return new Proxy(tx, {
    get: (target, member) =>
      member === "messages" ? { ...target.messages, acknowledge } : Reflect.get(target, member, target),
  })
}

const shown = (seen: SessionAttention | undefined) =>
  seen?.messages.map(({ message, message_truncated }) => [message, message_truncated])

describe("attention", () => {
  it("M17, M-I9: an acknowledgement suppresses the text in its own reply only", async () => {
    await using board = await startBoard()
    const m = await board.post("guidance", { requires_ack: true })
    expect(await attention(board, acks(m, m))).toEqual({
      session_id: board.s,
      requires_ack: false,
      messages: [],
      omitted_count: 0,
      truncated: false,
      ack: { accepted_count: 1, ignored_count: 0 },
    })
    expect(await attention(board)).toMatchObject({
      requires_ack: true,
      messages: [
        { message_id: m, kind: "guidance", priority: "normal", message: "a guidance", message_truncated: false },
      ],
      ack: { accepted_count: 0, ignored_count: 0 },
    })
  })

  it("M18: three of five are shown, through every door", async () => {
    await using board = await startBoard()
    for (let each = 0; each < 5; each += 1) await board.post("note", { requires_ack: true, message: "0123456789" })
    for (const how of [{}, HTTP])
      expect(await attention(board, how)).toMatchObject({
        messages: [{}, {}, {}],
        omitted_count: 2,
        truncated: true,
        requires_ack: true,
      })
  })

  it("M19: urgent ones come first, then the oldest", async () => {
    await using board = await startBoard()
    const ids: string[] = []
    for (const priority of ["low", "normal", "high", "high"])
      ids.push(await board.post("note", { requires_ack: true, priority }))
    const seen = await attention(board)
    expect(seen?.messages.map(({ message_id }) => message_id)).toEqual([ids[2], ids[3], ids[1]])
    expect(seen?.omitted_count).toBe(1)
  })

  it("M20: texts share 3,072 bytes; on a door without acknowledgements each is first cut to 240 characters", async () => {
    await using board = await startBoard()
    await board.post("note", { requires_ack: true, message: "a".repeat(4000) })
    await board.post("note", { requires_ack: true, message: "b".repeat(100) })
    const whole = await attention(board)
    expect(shown(whole)).toEqual([["a".repeat(3072), true]])
    expect(whole).toMatchObject({ omitted_count: 1, truncated: true })
    const short = await attention(board, HTTP)
    expect(shown(short)).toEqual([
      ["a".repeat(240), true],
      ["b".repeat(100), false],
    ])
    expect(short).toMatchObject({ omitted_count: 0, truncated: true })
  })

  it("M21: ids that are resolved, foreign or unknown are ignored and never gate the call", async () => {
    await using board = await startBoard()
    await writeFile(path.join(board.a.root, "f.txt"), "x\n")
    const resolved = await board.post("note", { requires_ack: true })
    await board.ok("resolve_session_message", { session_id: board.s, message_id: resolved })
    const foreign = await board.post("note", { requires_ack: true, session_id: board.c })
    const read = { project: "a", items: [{ path: "f.txt" }] }
    const how = { recorder: board.s, ...acks(resolved, foreign, "wc_msg_AAAAAAAAAAAAAAAA") }
    const { session_attention } = await board.attached("read_files", read, how)
    expect(session_attention).toMatchObject({ messages: [], ack: { accepted_count: 0, ignored_count: 3 } })
  })

  it("M22: the first acknowledgement is one change with its time, the second none", async () => {
    await using board = await startBoard()
    const m = await board.post("note", { requires_ack: true })
    const t0 = await board.baseline()
    await attention(board, acks(m))
    const seen = await board.observe(t0)
    expect(seen.messages).toMatchObject([{ message_id: m, status: "open", first_ack_observed_at: expect.any(Number) }])
    await attention(board, acks(m))
    expect(await board.observe(seen.observation_token)).toMatchObject({ changed: false })
  })

  it("M23: the business Session's board is shown where the call is recorded in it, not where it is the subject", async () => {
    await using board = await startBoard()
    await writeFile(path.join(board.a.root, "f.txt"), "x\n")
    const m = await board.post("guidance", { requires_ack: true })
    const read = { project: "a", session_id: board.s, items: [{ path: "f.txt" }] }
    const worked = await board.attached("read_files", read)
    expect(worked.session_attention?.messages).toMatchObject([{ message_id: m }])
    expect(worked.session_record).toMatchObject({
      recorded: true,
      open_counts: { guidance: 1, question: 0, todo: 0, risk: 0 },
    })
    const looked = await board.attached("session_summary", { session_id: board.s })
    expect(looked.session_attention).toBeUndefined()
    expect(looked.session_record).toMatchObject({ session_id: board.s, recorded: false, reason: "subject" })
  })

  it("M50: a closed Session's board shows nothing with calls, can be observed and takes no post", async () => {
    await using board = await startBoard()
    const m = await board.post("note", { requires_ack: true })
    const token = await board.baseline()
    await board.ok("close_session", { session_id: board.s })
    const closed = await board.attached("session_summary", { session_id: board.s }, { recorder: board.s, ...acks(m) })
    expect(closed.session_attention).toBeUndefined()
    expect((await board.list({ message_id: m }))[0]).not.toHaveProperty("first_ack_observed_at")
    expect(await board.observe(token)).toMatchObject({ lifecycle: "closed", changed: false, wait_outcome: "immediate" })
    expect(
      await board.fails("post_session_message", { session_id: board.s, kind: "note", message: "x" }),
    ).toMatchObject({
      kind: "session_closed",
      http: 409,
    })
  })

  it("what a call posts itself is not shown in its own reply, but in the next", async () => {
    await using board = await startBoard()
    const post = { session_id: board.s, kind: "note", message: "x", requires_ack: true }
    const first = await board.attached("post_session_message", post, { recorder: board.s })
    expect(first.session_attention).toBeUndefined()
    expect((await attention(board))?.messages).toHaveLength(1)
  })

  it("a failed call shows attention too; one that never reached its handler does not", async () => {
    await using board = await startBoard()
    await board.post("note", { requires_ack: true })
    const of = async (tool: string, input: object) =>
      (await board.call(tool, input, { recorder: board.s })).result.attached?.session_attention
    const unknown = { session_id: board.s, message_id: "wc_msg_AAAAAAAAAAAAAAAA" }
    expect((await of("resolve_session_message", unknown))?.messages).toHaveLength(1)
    expect(await of("resolve_session_message", { session_id: board.s })).toBeUndefined()
  })

  it("secrets that are registered after a post are masked where it is shown", async () => {
    await using board = await startBoard()
    await board.post("note", { requires_ack: true, message: "see zq-LITERAL-77" })
    board.secrets.register("Z", "zq-LITERAL-77")
    expect(shown(await attention(board))).toEqual([["see [redacted:Z]", false]])
  })

  it("attention without room in a small reply is left out, and its acknowledgements are taken back", async () => {
    await using board = await startBoard()
    const m = await board.post("note", { requires_ack: true, message: "first" })
    await board.post("note", { requires_ack: true, message: "x".repeat(3000) })
    const before = await board.revision()
    const { session_attention, session_record } = await board.attached(
      "list_tools",
      { limit: 1 },
      { recorder: board.s, replyLimit: 4000, ...acks(m) },
    )
    expect(session_attention).toBeUndefined()
    expect(session_record).toMatchObject({ recorded: true })
    expect(await board.revision()).toBe(before)
  })

  it("an acknowledgement that cannot be stored changes neither the call nor the board", async () => {
    let isFull = false
    await using board = await startBoard({
      wrapStore: (store) => ({
        read: (work) => store.read(work),
        readOnce: (work) => store.readOnce(work),
        write: (work) => store.write((tx) => work(isFull ? withoutAcks(tx) : tx)),
        facts: () => store.facts(),
        instanceKey: () => store.instanceKey(),
        close: () => store.close(),
      }),
    })
    const m = await board.post("note", { requires_ack: true })
    const before = await board.revision()
    isFull = true
    const seen = await board.attached("list_tools", { limit: 1 }, { recorder: board.s, ...acks(m) })
    expect(seen.session_attention).toBeUndefined()
    expect(seen.session_record).toMatchObject({ recorded: true })
    expect(await board.revision()).toBe(before)
    expect(board.telemetry.faults).toHaveLength(1)
  })

  it("work_on_project shows the attention of the Session that it continues", async () => {
    await using board = await startBoard()
    const { session_id } = await board.ok("work_on_project", { project: "a", instruction: "begin" })
    const { message_id } = await board.ok("post_session_message", {
      session_id,
      kind: "guidance",
      message: "mind the gap",
      requires_ack: true,
    })
    const resume = () => board.ok("work_on_project", { project: "a", instruction: "go on", session_id })
    for (let time = 0; time < 2; time += 1)
      expect((await resume()).attention).toMatchObject({
        session_id,
        messages: [{ message_id, message: "mind the gap" }],
      })
    await board.ok("resolve_session_message", { session_id, message_id })
    expect(await resume()).not.toHaveProperty("attention")
    expect(await board.ok("work_on_project", { project: "a", instruction: "new" })).not.toHaveProperty("attention")
  })

  it("M-I6: reads and repeated acknowledgements leave revision and rows equal, from two servers", async () => {
    await using board = await startBoard()
    await using beside = await createHarness({ beside: board })
    const m = await board.post("note", { requires_ack: true })
    await attention(board, acks(m))
    const before = [await board.revision(), await board.list()]
    const token = await board.baseline()
    for (const server of [board, beside]) {
      await server.ok("observe_session_messages", { session_id: board.s, after_observation_token: token })
      await server.ok("list_session_messages", { session_id: board.s, kind: "risk" })
      await server.ok("session_discussion_summary", { session_id: board.s })
      await server.call("list_tools", { limit: 1 }, { recorder: board.s, ...acks(m) })
    }
    expect([await board.revision(), await board.list()]).toEqual(before)
  })
})

describe("ack_session_message_ids", () => {
  const id = (letter: string) => `wc_msg_${letter.repeat(16)}`

  it("K42: nine distinct ids are too many, nine with a repeated one are not; a malformed one is named", async () => {
    await using board = await startBoard()
    const nine = ["A", "B", "C", "D", "E", "F", "G", "H", "I"].map(id)
    const how = (ids: unknown) => ({ recorder: board.s, wrapper: { ack_session_message_ids: ids } })
    expect(await board.fails("list_tools", {}, how(nine))).toMatchObject({
      kind: "invalid_arguments",
      details: { field: "ack_session_message_ids", fields: [{ code: "too_big" }] },
    })
    const repeated = [...nine.slice(0, 8), id("A")]
    expect((await attention(board, { wrapper: { ack_session_message_ids: repeated } }))?.ack).toEqual({
      accepted_count: 0,
      ignored_count: 8,
    })
    expect(await board.fails("list_tools", {}, how([id("A"), "wc_msg_x"]))).toMatchObject({
      details: { field: "ack_session_message_ids[1]" },
    })
    expect(await board.fails("list_tools", {}, how(id("A")))).toMatchObject({ details: { fields: [{ code: "type" }] } })
    expect(await board.fails("list_tools", {}, { ...how([id("A")]), ...HTTP })).toMatchObject({
      kind: "invalid_arguments",
      details: { unknown_fields: ["ack_session_message_ids"] },
    })
  })
})
