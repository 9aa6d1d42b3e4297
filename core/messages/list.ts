import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { defineTool } from "../kernel/definition.ts"
import { type MessageId, messageIdSchema, type SessionId, sessionIdSchema } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import { readingTool, sessionField } from "./definition.ts"
import { fittingPage, pageChars } from "./page.ts"
import type { Message, StoredMessage } from "./record.ts"
import { MESSAGE_KINDS } from "./record.ts"
import { unknownMessage } from "./rules.ts"
import type { MessageFilter } from "./store.ts"
import { messageIdPaths, messageViewSchema } from "./view.ts"

const MAX_LIMIT = 100
const count = (what: string) => z.number().int().min(0).describe(what)

/** Rows that fail their schema; they are not served. */
export const unreadableMember = z.number().int().min(1).describe("Stored messages that cannot be read.").optional()

const inputSchema = z.strictObject({
  session_id: sessionField,
  kind: z.enum(MESSAGE_KINDS).describe("Only of this kind.").optional(),
  status: z.enum(["open", "resolved"]).describe("Only in this state.").optional(),
  message_id: messageIdSchema.describe("Only this message.").optional(),
  reply_to: messageIdSchema.describe("Only direct replies to it.").optional(),
  before_message_id: messageIdSchema.describe("Only those posted before it.").optional(),
  limit: z.int().min(0).max(MAX_LIMIT).default(50).describe("Most messages to return."),
})
type Input = z.output<typeof inputSchema>

const outputSchema = z.object({
  session_id: sessionIdSchema.describe("Session of the board."),
  messages: z.array(messageViewSchema).max(MAX_LIMIT).describe("Newest first."),
  matched: count("Messages that the filters match, without limit and page."),
  retained: count("Messages that the board holds."),
  unreadable: unreadableMember,
  next_before_message_id: messageIdSchema.describe("More match: page on with it.").optional(),
})
type Output = z.infer<typeof outputSchema>

/** The readable ones of some rows, and how many are not. */
export function readableOf(rows: readonly StoredMessage[]): {
  readonly messages: readonly Message[]
  readonly unreadable: number
} {
  const messages = rows.flatMap((row) => (row.readable ? [row.message] : []))
  return { messages, unreadable: rows.length - messages.length }
}

function filterOf({ kind, status, message_id: messageId, reply_to: replyTo }: Input): MessageFilter {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(replyTo === undefined ? {} : { replyTo }),
  }
}

async function positionOf(tx: Tx, sessionId: SessionId, before: MessageId | undefined): Promise<number | undefined> {
  if (before === undefined) return undefined
  const stored = await tx.messages.byId(sessionId, before)
  if (stored === undefined) throw unknownMessage("before_message_id")
  return stored.message.pos
}

async function list(tx: Tx, call: Pick<Call, "budget">, input: Input): Promise<Output> {
  const { session_id: sessionId, limit } = input
  const filter = filterOf(input)
  const beforePos = await positionOf(tx, sessionId, input.before_message_id)
  const rows = await tx.messages.list(sessionId, filter, {
    limit: limit + 1,
    ...(beforePos === undefined ? {} : { beforePos }),
  })
  const { messages, unreadable } = readableOf(rows.slice(0, limit))
  const page = fittingPage(messages, pageChars(call.budget))
  const last = page.length < messages.length ? page.at(-1)?.message_id : rows[limit - 1]?.message.messageId
  const isMore = page.length < messages.length || rows.length > limit
  return {
    session_id: sessionId,
    messages: [...page],
    matched: await tx.messages.matching(sessionId, filter),
    retained: await tx.messages.retained(sessionId),
    ...(unreadable === 0 ? {} : { unreadable }),
    ...(isMore && last !== undefined ? { next_before_message_id: last } : {}),
  }
}

/** `list_session_messages` (spec messages.md §4). */
export const listSessionMessages = defineTool({
  ...readingTool,
  name: "list_session_messages",
  title: "List messages",
  description:
    "Lists messages of a Session's board, newest first, by kind, state, id or the message they reply to. Reading changes nothing.",
  input: inputSchema,
  output: outputSchema,
  deadline: "short",
  surfaces: [],
  record: {
    input: (input) => ({
      ...(input.kind === undefined ? {} : { kind: input.kind }),
      status_present: input.status !== undefined,
      message_id_present: input.message_id !== undefined,
      reply_to_present: input.reply_to !== undefined,
      before_present: input.before_message_id !== undefined,
      limit: input.limit,
    }),
    output: ({ messages, next_before_message_id }) => ({
      returned: messages.length,
      has_more: next_before_message_id !== undefined,
    }),
  },
  reduce: [
    { at: "messages[].message", kind: "text", min: 80 },
    { at: "messages[].resolution", kind: "text", min: 80 },
    { at: "messages", kind: "list", min: 0 },
  ],
  verbatim: ["session_id", "next_before_message_id", ...messageIdPaths("messages[]")],
  handler: (input, call) => call.ports.store.read((tx) => list(tx, call, input)),
})
