import type { Selectable } from "kysely"
import { z } from "zod"
import { messageIdSchema, sessionIdSchema } from "../../../core/kernel/ids.ts"
import type { Completion, Message, MessageFacts, Settling, StoredMessage } from "../../../core/messages/record.ts"
import { MESSAGE_KINDS, MESSAGE_PRIORITIES } from "../../../core/messages/record.ts"
import type { SessionMessagesTable } from "../schema.ts"
import { bit } from "./bit.ts"

/** One row of table `session_messages`. */
export type MessageColumns = Selectable<SessionMessagesTable>

const time = z.number().int()
const tagsSchema = z.array(z.string().min(1)).max(16)

/** What a row must be to be served (spec messages.md §1, §9). */
const readableSchema = z.object({
  session_id: sessionIdSchema,
  pos: z.number().int().min(1),
  message_id: messageIdSchema,
  revision: z.number().int().min(1),
  created_at: time,
  kind: z.enum(MESSAGE_KINDS),
  status: z.enum(["open", "resolved"]),
  priority: z.enum(MESSAGE_PRIORITIES),
  message: z.string().min(1),
  tags_json: z.string().nullable(),
  reply_to: messageIdSchema.nullable(),
  requires_ack: z.union([z.literal(0), z.literal(1)]),
  first_ack_observed_at: time.nullable(),
  author_session_id: sessionIdSchema.nullable(),
  resolved_at: time.nullable(),
  resolution: z.string().min(1).nullable(),
  resolved_by_message_id: messageIdSchema.nullable(),
  completion_id: z.string().nullable(),
  completion_hash: z.string().nullable(),
  delivery_key_hash: z.string().nullable(),
  content_hash: z.string().nullable(),
})

/** The message of a row, or what is left of one that fails its schema. */
export function messageOf(row: MessageColumns): StoredMessage {
  const parsed = readableSchema.safeParse(row)
  const tags = tagsOf(row.tags_json)
  if (parsed.success && tags !== undefined) return { readable: true, message: readable(row, tags) }
  const { message_id: messageId, pos, revision, kind } = row
  return { readable: false, message: { messageId, pos, revision, kind, ...settlingOf(row) } }
}

function tagsOf(json: string | null): readonly string[] | undefined {
  if (json === null) return []
  try {
    return tagsSchema.safeParse(JSON.parse(json)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readable(row: MessageColumns, tags: readonly string[]): Message {
  return {
    sessionId: row.session_id,
    messageId: row.message_id,
    pos: row.pos,
    revision: row.revision,
    createdAt: row.created_at,
    kind: row.kind,
    priority: row.priority,
    message: row.message,
    tags,
    requiresAck: row.requires_ack === 1,
    ...settlingOf(row),
    ...(row.reply_to !== null && { replyTo: row.reply_to }),
    ...(row.first_ack_observed_at !== null && { firstAckObservedAt: row.first_ack_observed_at }),
    ...(row.author_session_id !== null && { authorSessionId: row.author_session_id }),
    ...(row.delivery_key_hash !== null &&
      row.content_hash !== null && { delivery: { keyHash: row.delivery_key_hash, contentHash: row.content_hash } }),
  }
}

function settlingOf(row: MessageColumns): Settling {
  const completion = completionOf(row)
  return {
    status: row.status,
    ...(row.resolved_at !== null && { resolvedAt: row.resolved_at }),
    ...(row.resolution !== null && { resolution: row.resolution }),
    ...(completion !== undefined && { completion }),
  }
}

function completionOf(row: MessageColumns): Completion | undefined {
  const { resolved_by_message_id: answerId, completion_id: id, completion_hash: hash } = row
  return answerId === null || id === null || hash === null ? undefined : { answerId, id, hash }
}

/** The row of a new message. */
export function messageRow(message: Message): MessageColumns {
  const { completion, delivery, tags } = message
  return {
    session_id: message.sessionId,
    pos: message.pos,
    message_id: message.messageId,
    revision: message.revision,
    created_at: message.createdAt,
    kind: message.kind,
    status: message.status,
    priority: message.priority,
    message: message.message,
    tags_json: tags.length === 0 ? null : JSON.stringify(tags),
    reply_to: message.replyTo ?? null,
    requires_ack: bit(message.requiresAck),
    first_ack_observed_at: message.firstAckObservedAt ?? null,
    author_session_id: message.authorSessionId ?? null,
    resolved_at: message.resolvedAt ?? null,
    resolution: message.resolution ?? null,
    resolved_by_message_id: completion?.answerId ?? null,
    completion_id: completion?.id ?? null,
    completion_hash: completion?.hash ?? null,
    delivery_key_hash: delivery?.keyHash ?? null,
    content_hash: delivery?.contentHash ?? null,
  }
}

/** The columns that retention and attention are decided on. */
export type FactColumns = Pick<
  MessageColumns,
  "message_id" | "pos" | "revision" | "kind" | "status" | "priority" | "requires_ack" | "first_ack_observed_at"
> & { readonly replies_to_open_todo: number }

/** A message without its texts. */
export function factsOf(row: FactColumns): MessageFacts {
  return {
    messageId: row.message_id,
    pos: row.pos,
    revision: row.revision,
    kind: row.kind,
    status: row.status,
    priority: row.priority,
    requiresAck: row.requires_ack === 1,
    acknowledged: row.first_ack_observed_at !== null,
    repliesToOpenTodo: row.replies_to_open_todo === 1,
  }
}
