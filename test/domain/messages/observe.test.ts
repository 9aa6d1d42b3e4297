import { describe, expect, it } from "vitest"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { createBoardKeys } from "../../../core/messages/keys.ts"
import { createHarness } from "../../support/harness.ts"
import { startBoard, vectorOptions } from "./board-under-test.ts"

const nothing = {
  messages: [],
  changed: false,
  wait_outcome: "immediate",
  waited_ms: 0,
  history_lost: false,
  has_more: false,
}

describe("observation", () => {
  it("M1: baselines are the two vectors of the zero key and replay no history", async () => {
    await using harness = await createHarness(vectorOptions())
    const session_id = await harness.session()
    expect(session_id).toBe("wc_sess_AAAAAAAAAAAAAAAA")
    const first = await harness.ok("observe_session_messages", { session_id })
    expect(first).toEqual({
      session_id,
      lifecycle: "active",
      ...nothing,
      observation_token: "wso1_FmEMcVj6Huyu7IylVAj7eY-_1b4htnM0",
    })
    await harness.ok("post_session_message", { session_id, kind: "note", message: "x" })
    expect(await harness.ok("observe_session_messages", { session_id })).toEqual({
      ...first,
      observation_token: "wso1_lKMyxRF0opJ3bZfisBo2albgBfoisSsj",
    })
  })

  it("M2: after 5 posts a baseline and an observation with it show no messages", async () => {
    await using board = await startBoard()
    await board.notes(5)
    const token = await board.baseline()
    expect(await board.observe(token)).toMatchObject({ ...nothing, observation_token: token })
  })

  it("M3: one post is one message; the new token then shows nothing and stays equal", async () => {
    await using board = await startBoard()
    const t0 = await board.baseline()
    const id = await board.post("note", { message: " first " })
    const seen = await board.observe(t0)
    expect(seen).toMatchObject({ changed: true, has_more: false, history_lost: false, wait_outcome: "immediate" })
    expect(seen.messages.map(({ message_id, message }) => [message_id, message])).toEqual([[id, "first"]])
    expect(await board.observe(seen.observation_token)).toMatchObject({
      ...nothing,
      observation_token: seen.observation_token,
    })
  })

  it("M4: resolving shows once; the same text, and no text, change nothing; another text shows again", async () => {
    await using board = await startBoard()
    let token = await board.baseline()
    const next = async () => {
      const seen = await board.observe(token)
      token = seen.observation_token
      return seen.messages.map(({ status, resolution }) => [status, resolution])
    }
    const message_id = await board.post("note")
    const resolve = (more: object) => board.ok("resolve_session_message", { session_id: board.s, message_id, ...more })
    expect(await next()).toEqual([["open", undefined]])
    const first = await resolve({ resolution: "done" })
    expect(first).toMatchObject({ changed: true, already_resolved: false, status: "resolved" })
    expect(await next()).toEqual([["resolved", "done"]])
    expect(await resolve({ resolution: " done " })).toEqual({ ...first, changed: false, already_resolved: true })
    expect(await next()).toEqual([])
    expect(await resolve({})).toEqual({ ...first, changed: false, already_resolved: true })
    expect(await next()).toEqual([])
    expect(await resolve({ resolution: "done!" })).toEqual({ ...first, already_resolved: true })
    expect(await next()).toEqual([["resolved", "done!"]])
  })

  it("M5: a completion shows exactly the todo, then its answer; a replay shows nothing", async () => {
    await using board = await startBoard()
    const todo = await board.post("todo")
    const t0 = await board.baseline()
    const input = { expected_assignment_fence: await board.fence(todo) }
    const { answer_message_id } = await board.complete(todo, input)
    const seen = await board.observe(t0)
    expect(seen.messages.map(({ message_id, kind, status }) => [message_id, kind, status])).toEqual([
      [todo, "todo", "resolved"],
      [answer_message_id, "answer", "open"],
    ])
    expect(await board.complete(todo, input)).toMatchObject({ replayed: true, state_changed: false, answer_message_id })
    expect((await board.observe(seen.observation_token)).messages).toEqual([])
  })

  it("M6: pages of 2 show 7 posts in order, the last without more", async () => {
    await using board = await startBoard()
    let token = await board.baseline()
    const ids = await board.notes(7)
    const pages: (readonly [readonly string[], boolean])[] = []
    for (let page = 0; page < 4; page += 1) {
      const seen = await board.observe(token, { limit: 2 })
      token = seen.observation_token
      pages.push([seen.messages.map(({ message_id }) => message_id), seen.has_more])
    }
    expect(pages).toEqual([
      [ids.slice(0, 2), true],
      [ids.slice(2, 4), true],
      [ids.slice(4, 6), true],
      [ids.slice(6), false],
    ])
    expect(await board.observe(token)).toMatchObject(nothing)
  })

  it("M7, M8: an evicted note is said to be lost to who had not seen it, and to nobody else", async () => {
    await using board = await startBoard()
    const t0 = await board.baseline()
    const todo = await board.post("todo")
    const notes = [...(await board.notes(1))]
    const afterFirst = await board.baseline()
    notes.push(...(await board.notes(198)))
    const { answer_message_id: answer } = await board.complete(todo, {
      expected_assignment_fence: await board.fence(todo),
    })
    expect(await board.observe(t0, { limit: 100 })).toMatchObject({ history_lost: true, has_more: true })
    const held = [
      ...(await board.list()),
      ...(await board.list({ before_message_id: (await board.list()).at(-1)?.message_id })),
    ]
    expect(held.map(({ message_id }) => message_id)).toEqual([answer, ...notes.slice(1).reverse(), todo])
    expect(await board.ok("list_session_messages", { session_id: board.s })).toMatchObject({ retained: 200 })
    expect(await board.observe(afterFirst)).toMatchObject({ history_lost: false })
  })

  it("M10: a token of another board, form, length or state is one kind", async () => {
    await using board = await startBoard()
    const token = await board.baseline()
    const flipped = `${token.slice(0, 9)}${token[9] === "A" ? "B" : "A"}${token.slice(10)}`
    const keys = createBoardKeys(await board.store.instanceKey(), sessionIdSchema.parse(board.s))
    await board.notes(5)
    for (const bad of [await board.baseline(board.c), "wso1_x", "w".repeat(193), flipped, keys.token(9)])
      expect(
        await board.fails("observe_session_messages", { session_id: board.s, after_observation_token: bad }),
      ).toMatchObject({ kind: "invalid_session_message_observation_token", recovery: "reobserve", http: 200 })
  })

  it("M11: a wait without a token and numbers out of range name their field", async () => {
    await using board = await startBoard()
    const token = await board.baseline()
    for (const [field, input] of [
      ["wait_secs", { wait_secs: 5 }],
      ["wait_secs", { after_observation_token: token, wait_secs: 0 }],
      ["wait_secs", { after_observation_token: token, wait_secs: 61 }],
      ["limit", { after_observation_token: token, limit: 0 }],
      ["limit", { after_observation_token: token, limit: 101 }],
    ] as const)
      expect(await board.fails("observe_session_messages", { session_id: board.s, ...input })).toMatchObject({
        kind: "invalid_arguments",
        details: { field },
      })
  })

  it("M16: two observers and a filtered list between them take nothing from each other", async () => {
    await using board = await startBoard()
    const [one, other] = [await board.baseline(), await board.baseline()]
    const id = await board.post("risk")
    const ids = async (token: string) => (await board.observe(token)).messages.map(({ message_id }) => message_id)
    expect(await ids(one)).toEqual([id])
    expect(await board.list({ kind: "risk", status: "open" })).toHaveLength(1)
    expect(await ids(other)).toEqual([id])
  })

  it("a page ends before the first message that does not fit, and the first one is cut to fit", async () => {
    await using board = await startBoard()
    const t0 = await board.baseline()
    const ids = [
      await board.post("note", { message: "x".repeat(1000) }),
      await board.post("note", { message: "y".repeat(8000) }),
      await board.post("note", { message: "z" }),
    ]
    const observe = async (token: string, replyLimit: number) => {
      const { result } = await board.call(
        "observe_session_messages",
        { session_id: board.s, after_observation_token: token },
        { replyLimit },
      )
      return JSON.parse(JSON.stringify(result))
    }
    const first = await observe(t0, 8000)
    expect(first.output.messages.map((message: { message_id: string }) => message.message_id)).toEqual(ids.slice(0, 1))
    expect(first.output).toMatchObject({ has_more: true })
    const second = await observe(first.output.observation_token, 8000)
    expect(second.output.messages).toHaveLength(1)
    expect(second.output.messages[0]).toMatchObject({ message_id: ids[1], message_truncated: true })
    expect(JSON.stringify(second.output.messages[0]).length).toBeLessThanOrEqual(4000)
    expect(JSON.stringify(second.output.messages[0]).length).toBeGreaterThan(3900)
    expect(second.attached?.budget).toBeUndefined()
    expect((await observe(second.output.observation_token, 8000)).output).toMatchObject({
      messages: [{ message_id: ids[2], message: "z" }],
      has_more: false,
    })
  })
})
