import { createSystemClock } from "../../../adapters/clock/index.ts"
import { createIds, type MessageId, messageIdSchema, sessionIdSchema } from "../../../core/kernel/ids.ts"
import type { Attached } from "../../../core/kernel/result.ts"
import type { MessageView } from "../../../core/messages/view.ts"
import { type CallOptions, createHarness, type Harness, type HarnessOptions } from "../../support/harness.ts"

/** A message as a test reads it. */
export type Shown = MessageView

/** A Session of alice and what a test does with its board. */
export interface BoardUnderTest extends Harness {
  /** Project A, with Sessions S, C and W. */
  readonly a: { readonly project: string; readonly root: string }
  readonly s: string
  readonly c: string
  readonly w: string
  /** Posts to S; its id. */
  post(kind: string, more?: object, how?: CallOptions): Promise<string>
  /** Posts `count` notes to S. */
  notes(count: number): Promise<readonly string[]>
  /** A baseline token of S. */
  baseline(session?: string): Promise<string>
  observe(token: string, more?: object): Promise<Observed>
  /** The messages of S that match, newest first, as `list_session_messages` shows them. */
  list(filter?: object): Promise<readonly Shown[]>
  fence(messageId: string): Promise<string>
  complete(messageId: string, more: object, how?: CallOptions): Promise<Record<string, unknown>>
  /** The sidecars of a call that must succeed. */
  attached(tool: string, input: object, how?: CallOptions): Promise<Attached>
  /** The board's revision of S. */
  revision(session?: string): Promise<number>
}

/** An observation as a test reads it. */
export interface Observed {
  readonly lifecycle: string
  readonly messages: readonly Shown[]
  readonly observation_token: string
  readonly changed: boolean
  readonly wait_outcome: string
  readonly waited_ms: number
  readonly history_lost: boolean
  readonly has_more: boolean
}

/** Starts one; dispose of it with `await using`. */
export async function startBoard(options: HarnessOptions = {}): Promise<BoardUnderTest> {
  const harness = await createHarness(options)
  const a = await harness.project("a")
  const [s, c, w] = [
    await harness.session({ project: "a" }),
    await harness.session({ project: "a" }),
    await harness.session({ project: "a" }),
  ].map(String)
  return withBoard(harness, { a, s: s ?? "", c: c ?? "", w: w ?? "" })
}

/** The same over Sessions that exist. */
export function withBoard(harness: Harness, at: Pick<BoardUnderTest, "a" | "s" | "c" | "w">): BoardUnderTest {
  const { ok } = harness
  const observe = async (input: object): Promise<Observed> =>
    JSON.parse(JSON.stringify(await ok("observe_session_messages", input)))
  const board: BoardUnderTest = {
    ...harness,
    ...at,
    async post(kind, more = {}, how = {}) {
      const posted = await ok("post_session_message", { session_id: at.s, kind, message: `a ${kind}`, ...more }, how)
      return String(posted.message_id)
    },
    async notes(count) {
      const ids: string[] = []
      for (let note = 1; note <= count; note += 1) ids.push(await board.post("note", { message: `note ${note}` }))
      return ids
    },
    baseline: async (session = at.s) => (await observe({ session_id: session })).observation_token,
    observe: (token, more = {}) => observe({ session_id: at.s, after_observation_token: token, ...more }),
    async list(filter = {}) {
      const { messages } = await ok("list_session_messages", { session_id: at.s, limit: 100, ...filter })
      return JSON.parse(JSON.stringify(messages))
    },
    async fence(messageId) {
      return String((await ok("get_session_assignment", { session_id: at.s, message_id: messageId })).assignment_fence)
    },
    complete: (messageId, more, how) =>
      ok(
        "complete_session_message",
        { session_id: at.s, message_id: messageId, answer: "done", completion_key: "k", ...more },
        how,
      ),
    async attached(tool, input, how) {
      const { result } = await harness.call(tool, input, how)
      if (!result.success) throw new Error(`${tool} failed: ${JSON.stringify(result.error)}`)
      return result.attached ?? {}
    },
    async revision(session = at.s) {
      const row = await harness.store.read((tx) => tx.messages.board(sessionIdSchema.parse(session)))
      return row?.revision ?? -1
    },
  }
  return board
}

/** The zero key, ids and times of the vectors of messages.md §5 and §7. */
export function vectorOptions(): HarnessOptions {
  const ids = createIds()
  const system = createSystemClock()
  const messages = ["CCCCCCCCCCCCCCCC", "DDDDDDDDDDDDDDDD"].map((id) => messageIdSchema.parse(`wc_msg_${id}`))
  const times = [1_700_000_000_000, 1_700_000_000_500]
  let posted = 0
  return {
    ids: {
      ...ids,
      session: () => sessionIdSchema.parse("wc_sess_AAAAAAAAAAAAAAAA"),
      message: (): MessageId => messages[posted++] ?? ids.message(),
    },
    clock: { ...system, now: () => times[Math.max(0, posted - 1)] ?? 1_700_000_001_000 },
    wrapStore: (store) => ({
      read: (work) => store.read(work),
      readOnce: (work) => store.readOnce(work),
      write: (work) => store.write(work),
      facts: () => store.facts(),
      instanceKey: async () => "0".repeat(64),
      close: () => store.close(),
    }),
  }
}
