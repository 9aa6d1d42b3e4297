import { describe, expect, it } from "vitest"
import { createIds, type MessageId, messageIdSchema, sessionIdSchema } from "../../../core/kernel/ids.ts"
import { acceptedAcks, attentionCandidates, attentionMessages, attentionOf } from "../../../core/messages/attention.ts"
import { createBoardKeys, isFence } from "../../../core/messages/keys.ts"
import { excerptOf, pageChars } from "../../../core/messages/page.ts"
import type { Message, MessageFacts, Settling } from "../../../core/messages/record.ts"
import {
  decideComplete,
  decideDelivery,
  decideReply,
  decideResolve,
  decideRoom,
  isPinned,
  surplus,
} from "../../../core/messages/rules.ts"
import { boardKey, boardTags, boardText, firstBytes, firstCharacters } from "../../../core/messages/texts.ts"

const ids = createIds()
const sessionId = sessionIdSchema.parse("wc_sess_AAAAAAAAAAAAAAAA")
const board = { lifecycle: "active", revision: 300, floor: 5, lastPos: 300 } as const

function facts(more: Partial<MessageFacts> = {}): MessageFacts {
  return {
    messageId: ids.message(),
    pos: 1,
    revision: 10,
    kind: "note",
    status: "open",
    priority: "normal",
    requiresAck: false,
    acknowledged: false,
    repliesToOpenTodo: false,
    ...more,
  }
}

function message(text: string, more: Partial<Message> = {}): Message {
  return { ...facts(), sessionId, createdAt: 1, message: text, tags: [], ...more }
}

const denialOf = (decision: { readonly denied?: { readonly kind: string; readonly details?: object | undefined } }) => [
  decision.denied?.kind,
  decision.denied?.details,
]

describe("retention", () => {
  it("given what obliges somebody, then it is pinned; given anything else, then it is not", () => {
    for (const kind of ["todo", "question", "risk", "guidance"] as const) {
      expect(isPinned(facts({ kind }))).toBe(true)
      expect(isPinned(facts({ kind, status: "resolved" }))).toBe(false)
    }
    for (const kind of ["note", "proposal", "answer", "decision", "progress"] as const) {
      expect(isPinned(facts({ kind }))).toBe(false)
      expect(isPinned(facts({ kind, requiresAck: true }))).toBe(true)
      expect(isPinned(facts({ kind, requiresAck: true, status: "resolved" }))).toBe(false)
      expect(isPinned(facts({ kind, status: "resolved", repliesToOpenTodo: true }))).toBe(true)
    }
  })

  it("given room, when posting, then nothing goes; given 200, then the first victim; given more, then as many as needed", () => {
    const victims = [facts({ revision: 7 }), facts({ revision: 9 })]
    expect([surplus(199), surplus(200), surplus(201)]).toEqual([0, 1, 2])
    expect(decideRoom(board, { retained: 199, victims: [] })).toEqual({ board, evicted: [] })
    expect(decideRoom(board, { retained: 200, victims })).toEqual({
      board: { ...board, floor: 7 },
      evicted: victims.slice(0, 1),
    })
    expect(decideRoom(board, { retained: 201, victims })).toEqual({ board: { ...board, floor: 9 }, evicted: victims })
  })

  it("given too few victims, when posting, then the board is full; a floor never falls", () => {
    expect(decideRoom(board, { retained: 200, victims: [] })).toBeUndefined()
    expect(decideRoom(board, { retained: 201, victims: [facts()] })).toBeUndefined()
    expect(decideRoom(board, { retained: 200, victims: [facts({ revision: 3 })] })?.board.floor).toBe(5)
  })
})

describe("replies and deliveries", () => {
  it("given an open todo with 16 replies, then a reply is refused; given anything else that is held, then not", () => {
    expect(decideReply({ isOpenTodo: true, replies: 15 })).toEqual({ value: undefined })
    expect(decideReply({ isOpenTodo: false, replies: 99 })).toEqual({ value: undefined })
    const full = decideReply({ isOpenTodo: true, replies: 16 })
    expect(denialOf(full)).toEqual(["assignment_too_large", { reply_count: 16, max_replies: 16 }])
    expect(denialOf(decideReply(undefined))).toEqual(["unknown_message_id", { field: "reply_to" }])
  })

  it("given a key, when content is equal, then the first message; else a conflict", () => {
    const earlier = { messageId: ids.message(), delivery: { keyHash: "k", contentHash: "h" } }
    expect(decideDelivery(earlier, "h")).toEqual({ value: earlier.messageId })
    expect(denialOf(decideDelivery(earlier, "i"))).toEqual(["idempotency_conflict", { message_id: earlier.messageId }])
  })
})

describe("resolving", () => {
  const completion = { answerId: ids.message(), id: "c", hash: "h" }
  const cases: readonly (readonly [string, Settling, string | undefined, object])[] = [
    ["open", { status: "open" }, undefined, { changed: true, alreadyResolved: false, resolvedAt: 9 }],
    ["open, with text", { status: "open" }, "x", { changed: true, alreadyResolved: false, resolvedAt: 9 }],
    [
      "resolved, no text",
      { status: "resolved", resolvedAt: 4, resolution: "x" },
      undefined,
      { changed: false, alreadyResolved: true, resolvedAt: 4 },
    ],
    [
      "resolved, equal text",
      { status: "resolved", resolvedAt: 4, resolution: "x" },
      "x",
      { changed: false, alreadyResolved: true, resolvedAt: 4 },
    ],
    [
      "resolved, other text",
      { status: "resolved", resolvedAt: 4, resolution: "x" },
      "y",
      { changed: true, alreadyResolved: true, resolvedAt: 4 },
    ],
    [
      "completed, no text",
      { status: "resolved", resolvedAt: 4, completion },
      undefined,
      { changed: false, alreadyResolved: true, resolvedAt: 4 },
    ],
  ]
  it.each(cases)("given %s, then the table's effect", (_, given, resolution, then) => {
    expect(decideResolve(given, { at: 9, ...(resolution === undefined ? {} : { resolution }) })).toEqual({
      value: then,
    })
  })

  it("given a completed todo, when a text is given, then it is denied", () => {
    const decided = decideResolve({ status: "resolved", resolvedAt: 4, completion }, { at: 9, resolution: "x" })
    expect(denialOf(decided)).toEqual([
      "already_completed",
      { answer_message_id: completion.answerId, completion_id: "c" },
    ])
  })
})

describe("completing", () => {
  const command = { completionId: "c", completionHash: "h", expectedFence: "f" }
  const completed = (id: string, hash: string): Settling => ({
    status: "resolved",
    resolvedAt: 1,
    completion: { answerId, id, hash },
  })
  const answerId = ids.message()

  it("given an open todo, then the fence alone decides", () => {
    expect(decideComplete({ status: "open" }, "f", command)).toEqual({ value: { kind: "commit" } })
    expect(decideComplete({ status: "open" }, "g", command)).toEqual({ value: { kind: "stale", reason: "changed" } })
  })

  it("given a resolved todo, then how it was settled decides, whatever the fence", () => {
    for (const fence of ["f", "g"]) {
      const resolved = decideComplete({ status: "resolved", resolvedAt: 1 }, fence, command)
      expect(resolved).toEqual({ value: { kind: "stale", reason: "resolved" } })
      expect(decideComplete(completed("c", "h"), fence, command)).toEqual({ value: { kind: "replay", answerId } })
      expect(denialOf(decideComplete(completed("c", "i"), fence, command))).toEqual([
        "idempotency_conflict",
        { answer_message_id: answerId },
      ])
      expect(denialOf(decideComplete(completed("d", "h"), fence, command))[0]).toBe("already_completed")
    }
  })
})

describe("keys", () => {
  const keys = createBoardKeys("0".repeat(64), sessionId)
  const todo = message("fix the parser", {
    kind: "todo",
    messageId: parse("CCCCCCCCCCCCCCCC"),
    createdAt: 1_700_000_000_000,
  })
  const reply = message("half done", {
    kind: "progress",
    messageId: parse("DDDDDDDDDDDDDDDD"),
    createdAt: 1_700_000_000_500,
    replyTo: todo.messageId,
  })

  it("M1, M24: are the vectors of the zero key", () => {
    expect(keys.token(0)).toBe("wso1_FmEMcVj6Huyu7IylVAj7eY-_1b4htnM0")
    expect(keys.token(1)).toBe("wso1_lKMyxRF0opJ3bZfisBo2albgBfoisSsj")
    expect(keys.fence(todo, [])).toBe("wsa1_cjoTf3szxA0gDmKvTSkdSnqX31L-EO57-T6p8Negr9Y")
    expect(keys.fence(todo, [reply])).toBe("wsa1_ILAORU9lI_0Bf5G2Xe5IMGeSzbFNRg9-FXcQAs-pLNE")
    expect(isFence(keys.fence(todo, []))).toBe(true)
  })

  it("M-I7: equal members give equal fences; each member field gives another", () => {
    const fence = keys.fence(todo, [reply])
    const unfenced: Partial<Message> = {
      pos: 77,
      revision: 99,
      firstAckObservedAt: 3,
      delivery: { keyHash: "k", contentHash: "h" },
      completion: { answerId: reply.messageId, id: "c", hash: "h" },
    }
    expect(keys.fence({ ...todo, ...unfenced }, [{ ...reply, ...unfenced }])).toBe(fence)
    const changes: readonly Partial<Message>[] = [
      { messageId: parse("EEEEEEEEEEEEEEEE") },
      { kind: "note" },
      { status: "resolved" },
      { priority: "high" },
      { message: "other" },
      { tags: ["t"] },
      { replyTo: parse("EEEEEEEEEEEEEEEE") },
      { requiresAck: true },
      { authorSessionId: sessionId },
      { createdAt: 5 },
      { resolvedAt: 5 },
      { resolution: "r" },
    ]
    const fences = changes.flatMap((change) => [
      keys.fence({ ...todo, ...change }, [reply]),
      keys.fence(todo, [{ ...reply, ...change }]),
    ])
    expect(new Set([fence, keys.fence(todo, []), ...fences]).size).toBe(2 * changes.length + 2)
  })

  it("tokens of every revision are read back, and none by another board or installation", () => {
    const revisions = [0, 1, 2, 255, 256, 65_535, 2 ** 31, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER]
    const other = createBoardKeys("0".repeat(64), sessionIdSchema.parse("wc_sess_BBBBBBBBBBBBBBBB"))
    const elsewhere = createBoardKeys("1".repeat(64), sessionId)
    for (const revision of revisions) {
      const token = keys.token(revision)
      expect(keys.revisionOf(token)).toBe(revision)
      for (const foreign of [other, elsewhere]) expect(() => foreign.revisionOf(token)).toThrow("not one of")
    }
    expect(new Set(revisions.map((revision) => keys.token(revision))).size).toBe(revisions.length)
  })
})

describe("texts", () => {
  it("are trimmed, and refused for the first fault", () => {
    expect(boardText("message", " a\n\tb\r\n ")).toBe("a\n\tb")
    for (const text of ["\u0001", "\u007f", "\u009f"]) expect(() => boardText("answer", `a${text}`)).toThrow("control")
    expect(() => boardText("answer", "\udc00")).toThrow("well-formed")
    expect(() => boardText("resolution", " \n ")).toThrow("empty")
    expect(boardTags([" b ", "a", "b", "  "])).toEqual(["b", "a"])
    expect(() => boardTags(["a\u2028b"])).toThrow("line")
    expect(boardKey("completion_key", " k ")).toBe("k")
  })

  it("are cut between whole characters", () => {
    expect(firstCharacters("a😀b", 2)).toBe("a😀")
    expect(firstBytes("a😀b", 4)).toBe("a")
    expect(firstBytes("a😀b", 5)).toBe("a😀")
    expect(excerptOf("x".repeat(241))).toEqual({ excerpt: "x".repeat(240), truncated: true })
    expect([pageChars({ chars: 1000 }), pageChars({ chars: 1e6 })]).toEqual([500, 40_000])
  })
})

describe("attention", () => {
  const door = { acknowledges: true, redact: (text: string) => text }
  const bodies = (...texts: readonly string[]) =>
    attentionMessages(
      texts.map((text) => message(text)),
      door,
    ).map((one) => [one.message.length, one.message_truncated])

  it("orders candidates by urgency, then age, without those of this call", () => {
    const [low, first, second, high] = [
      facts({ priority: "low", pos: 1 }),
      facts({ pos: 2 }),
      facts({ pos: 3 }),
      facts({ priority: "high", pos: 4 }),
    ]
    const all = [low, first, second, high]
    expect(attentionCandidates(all, [])).toEqual([high, first, second, low])
    expect(attentionCandidates(all, [first.messageId])).toEqual([high, second, low])
    expect(acceptedAcks(all, [ids.message(), low.messageId])).toEqual([low])
  })

  it("fits whole, or cut where at least 160 bytes are left, and then the list ends", () => {
    expect(bodies("a".repeat(1000), "b".repeat(1000), "c".repeat(1000))).toEqual([
      [1000, false],
      [1000, false],
      [1000, false],
    ])
    expect(bodies("a".repeat(2912), "b".repeat(161), "c")).toEqual([
      [2912, false],
      [160, true],
    ])
    expect(bodies("a".repeat(2913), "b".repeat(160), "c")).toEqual([[2913, false]])
    expect(bodies("a".repeat(3072), "b")).toEqual([[3072, false]])
    expect(bodies(`${"é".repeat(1536)}x`)).toEqual([[1536, true]])
  })

  it("says what is left out", () => {
    const shown = attentionMessages([message("a")], door)
    const ack = { accepted_count: 1, ignored_count: 0 }
    expect(attentionOf(sessionId, { candidates: 3, shown }, ack)).toMatchObject({
      requires_ack: true,
      omitted_count: 2,
      truncated: true,
    })
    expect(attentionOf(sessionId, { candidates: 0, shown: [] }, ack)).toMatchObject({
      requires_ack: false,
      omitted_count: 0,
      truncated: false,
    })
  })
})

function parse(letters: string): MessageId {
  return messageIdSchema.parse(`wc_msg_${letters}`)
}
