import fc from "fast-check"
import { expect, it } from "vitest"
import { sessionIdSchema } from "../../../core/kernel/ids.ts"
import { createBoardKeys } from "../../../core/messages/keys.ts"
import type { Message } from "../../../core/messages/record.ts"
import { createHarness, type Harness } from "../../support/harness.ts"
import { startBoard } from "./board-under-test.ts"

/** One operation; numbers choose among what exists. */
type Operation =
  | { readonly do: "post"; readonly kind: string; readonly ack: boolean; readonly reply: number }
  | { readonly do: "burst"; readonly count: number }
  | { readonly do: "resolve" | "acknowledge"; readonly message: number; readonly text: number }
  | { readonly do: "complete"; readonly todo: number; readonly fence: number; readonly key: number }
  | { readonly do: "observe"; readonly observer: number; readonly limit: number }

const pick = fc.nat({ max: 1_000 })
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("post" as const),
      kind: fc.constantFrom("note", "todo", "question", "risk", "guidance", "progress", "answer"),
      ack: fc.boolean(),
      reply: pick,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("burst" as const), count: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("resolve" as const, "acknowledge" as const),
      message: pick,
      text: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("complete" as const),
      todo: pick,
      fence: fc.nat({ max: 3 }),
      key: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("observe" as const),
      observer: fc.nat({ max: 2 }),
      limit: fc.integer({ min: 1, max: 30 }),
    }),
  },
)

const OBLIGES = new Set(["todo", "question", "risk", "guidance"])

/** Whether the specification pins a message, of the whole board as it is. */
function isPinned(message: Message, board: ReadonlyMap<string, Message>): boolean {
  const target = message.replyTo === undefined ? undefined : board.get(message.replyTo)
  if (target?.kind === "todo" && target.status === "open") return true
  return message.status === "open" && (message.requiresAck || OBLIGES.has(message.kind))
}

/** An observer: its cursor, and the newest state of everything that it was shown. */
interface Observer {
  token: string
  lost: boolean
  readonly baseline: number
  readonly seen: Map<string, string>
}

it("M-I1 to M-I5: random operations of two servers on one nearly full board", { timeout: 180_000 }, async () => {
  await using board = await startBoard()
  await using beside = await createHarness({ beside: board })
  const sessionId = sessionIdSchema.parse(board.s)
  const keys = createBoardKeys(await board.store.instanceKey(), sessionId)
  const retained = async (): Promise<ReadonlyMap<string, Message>> => {
    const rows = await board.store.read((tx) => tx.messages.all(sessionId))
    return new Map(rows.flatMap((row) => (row.readable ? [[row.message.messageId, row.message]] : [])))
  }
  let state = await retained()
  /** Revisions at which messages were when they were evicted. */
  const evicted: number[] = []
  /** Direct replies that each todo ever got. */
  const replies = new Map<string, Set<string>>()
  const fences: string[] = []
  let turn = 0

  /** Takes over what an operation did, and checks what must hold of every state. */
  async function check(): Promise<void> {
    const next = await retained()
    for (const [id, before] of state) {
      if (next.has(id)) continue
      evicted.push(before.revision)
      expect(isPinned(before, state) && isPinned(before, next), `${id} was pinned`).toBe(false)
    }
    for (const message of next.values()) {
      if (message.replyTo === undefined || next.get(message.replyTo)?.kind !== "todo") continue
      replies.set(message.replyTo, (replies.get(message.replyTo) ?? new Set()).add(message.messageId))
    }
    for (const [todo, members] of replies) {
      if (next.get(todo)?.status !== "open") continue
      for (const member of members) expect(next.has(member), `${member} of open todo`).toBe(true)
      expect(members.size).toBeLessThanOrEqual(16)
    }
    const revisions = [...next.values()].map(({ revision }) => revision)
    expect(new Set(revisions).size).toBe(revisions.length)
    expect(Math.max(0, ...revisions)).toBeLessThanOrEqual(await board.revision())
    state = next
  }

  const nth = (index: number, of: (message: Message) => boolean): Message | undefined => {
    const some = [...state.values()].filter(of)
    return some[index % Math.max(1, some.length)]
  }

  async function observe(observer: Observer, limit: number): Promise<boolean> {
    const cursor = keys.revisionOf(observer.token)
    const page = await board.observe(observer.token, { limit })
    expect(page.history_lost).toBe(evicted.some((revision) => revision > cursor))
    expect(page.changed).toBe((await board.revision()) > cursor)
    observer.lost ||= page.history_lost
    observer.token = page.observation_token
    for (const message of page.messages) observer.seen.set(message.message_id, JSON.stringify(message))
    return page.has_more
  }

  async function complete(server: Harness, { todo: index, fence: which, key }: Extract<Operation, { do: "complete" }>) {
    const todo = nth(index, ({ kind }) => kind === "todo")
    if (todo === undefined) return
    const direct = [...state.values()].filter(({ replyTo }) => replyTo === todo.messageId)
    const now = keys.fence(todo, direct)
    const given = which > 0 ? now : (fences[index % Math.max(1, fences.length)] ?? now)
    fences.push(now)
    const { result } = await server.call("complete_session_message", {
      session_id: board.s,
      message_id: todo.messageId,
      answer: "done",
      completion_key: `k${key}`,
      expected_assignment_fence: given,
    })
    const commits = todo.status === "open" && given === now
    const didCommit = result.success && JSON.stringify(result.output).includes('"replayed":false')
    expect(didCommit).toBe(commits)
    const answers = [...(await retained()).values()].filter(
      ({ kind, replyTo, messageId }) =>
        kind === "answer" && replyTo === todo.messageId && state.get(messageId) === undefined,
    )
    expect(answers).toHaveLength(commits ? 1 : 0)
  }

  async function run(server: Harness, step: Operation, observers: readonly Observer[]): Promise<void> {
    if (step.do === "observe") {
      const observer = observers[step.observer]
      if (observer !== undefined) await observe(observer, step.limit)
    } else if (step.do === "burst") {
      for (let note = 0; note < step.count; note += 1)
        await server.call("post_session_message", { session_id: board.s, kind: "note", message: "burst" })
    } else if (step.do === "complete") await complete(server, step)
    else if (step.do === "post") {
      const target = step.reply % 3 === 0 ? nth(step.reply, ({ kind }) => kind === "todo") : undefined
      await server.call("post_session_message", {
        session_id: board.s,
        kind: step.kind,
        message: "one",
        requires_ack: step.ack && step.reply % 4 === 0,
        ...(target === undefined ? {} : { reply_to: target.messageId }),
      })
    } else if (step.do === "resolve") {
      const message = nth(step.message, () => true)
      const resolution = step.text === 0 ? {} : { resolution: `because ${step.text}` }
      if (message === undefined) return
      await server.call("resolve_session_message", {
        session_id: board.s,
        message_id: message.messageId,
        ...resolution,
      })
    } else {
      const message = nth(step.message, ({ requiresAck, status }) => requiresAck && status === "open")
      const ids = message === undefined ? [] : [message.messageId]
      const wrapper = { ack_session_message_ids: ids }
      await server.call("list_tools", { limit: 1 }, { recorder: board.s, wrapper })
    }
    await check()
  }

  await board.notes(190)
  await check()
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 40 }), async (steps) => {
      const baseline = await board.revision()
      const token = await board.baseline()
      const observers = [0, 1, 2].map((): Observer => ({ token, lost: false, baseline, seen: new Map() }))
      for (const step of steps) await run(turn++ % 2 === 0 ? board : beside, step, observers)
      for (const observer of observers) {
        while (await observe(observer, 17));
        if (observer.lost) continue
        for (const message of await newest(observer.baseline))
          expect(observer.seen.get(message.message_id)).toBe(JSON.stringify(message))
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )

  /** What changed since a revision, as it is now. */
  async function newest(since: number) {
    return (await board.observe(keys.token(since), { limit: 100 })).messages
  }
})
