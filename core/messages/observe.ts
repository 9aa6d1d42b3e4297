import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { ToolError } from "../kernel/error.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import { ACCESS_TOPIC } from "../kernel/signals.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { waitBudget, waitForState } from "../kernel/waiting.ts"
import type { Tx } from "../store.ts"
import { boardKeys, readBoard } from "./board.ts"
import { readingTool, sessionField } from "./definition.ts"
import { type BoardKeys, invalidToken } from "./keys.ts"
import { fittingPage, pageChars } from "./page.ts"
import type { Board } from "./record.ts"
import { boardTopic } from "./signal.ts"
import { messageIdPaths, messageViewSchema } from "./view.ts"

const MAX_LIMIT = 100

const inputSchema = z.strictObject({
  session_id: sessionField,
  after_observation_token: textSchema(1, 512)
    .describe("Token of the last look; left out: a baseline without messages.")
    .optional(),
  wait_secs: z.int().min(1).max(60).describe("Wait so long for something new; only with a token.").optional(),
  limit: z.int().min(1).max(MAX_LIMIT).default(50).describe("Most messages to return."),
})
type Input = z.output<typeof inputSchema>

const outputSchema = z.object({
  session_id: sessionIdSchema.describe("Session of the board."),
  lifecycle: z.enum(["active", "closed"]).describe("Of the Session; nothing comes after closed."),
  messages: z.array(messageViewSchema).max(MAX_LIMIT).describe("New or changed since the token, oldest change first."),
  observation_token: textSchema(1, 192).describe("Where this look ended."),
  changed: z.boolean().describe("Something changed since the token."),
  wait_outcome: z.enum(["immediate", "updated", "timeout", "session_closed"]).describe("How the wait ended."),
  waited_ms: z.number().int().min(0).describe("How long it waited."),
  history_lost: z.boolean().describe("Something that changed since the token is gone from the board."),
  has_more: z.boolean().describe("More changed messages are left: look again with this token."),
})
type Output = z.infer<typeof outputSchema>

/** One look at a board: what is new since a cursor. */
type Look = Pick<Output, "lifecycle" | "messages" | "observation_token" | "changed" | "history_lost" | "has_more">

function unchanged({ lifecycle }: Board, token: string): Look {
  return { lifecycle, messages: [], observation_token: token, changed: false, history_lost: false, has_more: false }
}

/** A look with the newest token: equal cursors are equal tokens. */
function nothingNew(board: Board, token: string): Look {
  return { ...unchanged(board, token), history_lost: board.revision < board.floor }
}

interface Observer {
  readonly call: Call
  readonly input: Input
  readonly keys: BoardKeys
  /** Where the observer stands, and the token that says so. */
  readonly cursor: number
  readonly token: string
}

/** @throws ToolError `invalid_session_message_observation_token` for a cursor above the board's revision */
async function lookAfter(tx: Tx, { call, input, keys, cursor, token }: Observer): Promise<Look> {
  const { session_id: sessionId, limit } = input
  const board = await readBoard(tx, sessionId)
  if (cursor > board.revision) throw invalidToken()
  if (cursor === board.revision) return nothingNew(board, token)
  const rows = await tx.messages.changedAfter(sessionId, cursor, limit + 1)
  const asked = rows.slice(0, limit)
  const messages = asked.flatMap((row) => (row.readable ? [row.message] : []))
  const page = fittingPage(messages, pageChars(call.budget))
  const isCut = page.length < messages.length
  const last = isCut ? messages[page.length - 1]?.revision : asked.at(-1)?.message.revision
  const hasMore = isCut || rows.length > limit
  return {
    lifecycle: board.lifecycle,
    messages: [...page],
    observation_token: keys.token(hasMore && last !== undefined ? last : board.revision),
    changed: true,
    history_lost: cursor < board.floor || messages.length < asked.length,
    has_more: hasMore,
  }
}

function shown(input: Input, look: Look, end: Pick<Output, "wait_outcome" | "waited_ms">): Output {
  const { lifecycle, messages, observation_token, changed, history_lost, has_more } = look
  return {
    session_id: input.session_id,
    lifecycle,
    messages,
    observation_token,
    changed,
    ...end,
    history_lost,
    has_more,
  }
}

const AT_ONCE = { wait_outcome: "immediate", waited_ms: 0 } as const

async function observe(call: Call, input: Input): Promise<Output> {
  const { after_observation_token: token, wait_secs: waitSecs, session_id: sessionId } = input
  if (token === undefined && waitSecs !== undefined) throw waitsWithoutToken()
  const { store } = call.ports
  const keys = await boardKeys(call, sessionId)
  if (token === undefined) {
    const board = await store.read((tx) => readBoard(tx, sessionId))
    return shown(input, unchanged(board, keys.token(board.revision)), AT_ONCE)
  }
  const since = waitSecs === undefined ? undefined : call.sleeper.restingSince
  if (waitSecs !== undefined && since !== undefined)
    return waitForChange({ call, input, keys, token, cursor: keys.revisionOf(token) }, { waitSecs, since })
  const seen = await store.readOnce((tx) => tx.messages.board(sessionId))
  const isNewest = seen !== undefined && keys.isToken(token, seen.revision)
  const observer = { call, input, keys, token, cursor: isNewest ? seen.revision : keys.revisionOf(token) }
  const first = isNewest ? nothingNew(seen, token) : await store.read((tx) => lookAfter(tx, observer))
  if (waitSecs === undefined || first.changed) return shown(input, first, AT_ONCE)
  return waitForChange(observer, { waitSecs, since: call.ports.clock.monotonic() })
}

async function waitForChange(
  observer: Observer,
  { waitSecs, since }: { readonly waitSecs: number; readonly since: number },
): Promise<Output> {
  const { call, input } = observer
  const { store, clock } = call.ports
  const waitedMs = (): number => clock.monotonic() - since
  const look = await waitForState(call, {
    topics: [boardTopic(input.session_id), ACCESS_TOPIC],
    since,
    waitMs: waitBudget(call, waitSecs * 1000 - waitedMs()),
    read: () =>
      store.read(async (tx) => {
        await call.requireAccess(tx)
        return lookAfter(tx, observer)
      }),
    isOver: ({ changed, lifecycle }) => changed || lifecycle === "closed",
  })
  const outcome = look.changed ? "updated" : look.lifecycle === "closed" ? "session_closed" : "timeout"
  return shown(input, look, { wait_outcome: outcome, waited_ms: Math.round(waitedMs()) })
}

function waitsWithoutToken(): ToolError<"invalid_arguments"> {
  return new ToolError(
    "invalid_arguments",
    "wait_secs needs after_observation_token. Take a baseline first, then wait with its token.",
    { details: { field: "wait_secs", fields: [{ path: "wait_secs", code: "conflict" }] } },
  )
}

/** `observe_session_messages` (spec messages.md §5). */
export const observeSessionMessages = defineTool({
  ...readingTool,
  name: "observe_session_messages",
  title: "Observe a board",
  description:
    "Shows what is new or changed on a Session's board since a token, and can wait for it. Without a token: a baseline token and no messages; list_session_messages (by call_read_tool where not listed) reads what is there. Reading consumes nothing.",
  input: inputSchema,
  output: outputSchema,
  deadline: "wait",
  surfaces: ["coding"],
  record: {
    input: (input) => ({
      token_present: input.after_observation_token !== undefined,
      limit: input.limit,
      ...(input.wait_secs === undefined ? {} : { wait_secs: input.wait_secs }),
    }),
    output: ({ messages, changed, waited_ms, history_lost, has_more }) => ({
      returned: messages.length,
      changed,
      waited_ms,
      history_lost,
      has_more,
    }),
  },
  reduce: [
    { at: "messages[].message", kind: "text", min: 80 },
    { at: "messages[].resolution", kind: "text", min: 80 },
    { at: "messages", kind: "list", min: 0 },
  ],
  verbatim: ["session_id", "observation_token", ...messageIdPaths("messages[]")],
  handler: (input, call) => observe(call, input),
})
