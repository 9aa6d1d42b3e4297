import { ToolError } from "../kernel/error.ts"
import type { MessageId } from "../kernel/ids.ts"
import type { Decision } from "../sessions/rules.ts"
import type { Board, Message, MessageFacts, OpenBoard, Settling } from "./record.ts"
import { OBLIGING_KINDS } from "./record.ts"

/** Messages that a board holds (spec messages.md §3). */
export const MAX_RETAINED = 200
/** Direct replies that an open todo may have (spec messages.md §3). */
export const MAX_REPLIES = 16

const denied = (error: ToolError): { readonly denied: ToolError } => ({ denied: error })

/** Whether a message still obliges somebody, or belongs to the assignment of one that does: it is never evicted. */
export function isPinned(
  message: Omit<MessageFacts, "messageId" | "pos" | "revision" | "priority" | "acknowledged">,
): boolean {
  const { status, kind, requiresAck, repliesToOpenTodo } = message
  if (repliesToOpenTodo) return true
  return status === "open" && (requiresAck || OBLIGING_KINDS.some((obliging) => obliging === kind))
}

/** The message that a reply answers, as the rules see it. */
export interface ReplyTarget {
  readonly isOpenTodo: boolean
  /** Direct replies that it has. */
  readonly replies: number
}

/** `unknown_message_id` in the one form that says nothing about other Sessions. */
export function unknownMessage(field: string): ToolError<"unknown_message_id"> {
  return new ToolError(
    "unknown_message_id",
    "This Session's board holds no such message. Look with list_session_messages or session_discussion_summary.",
    { details: { field } },
  )
}

/** Whether a reply may be posted: a todo with more replies could not be completed (spec messages.md §3). */
export function decideReply(target: ReplyTarget | undefined): Decision<undefined> {
  if (target === undefined) return denied(unknownMessage("reply_to"))
  if (!target.isOpenTodo || target.replies < MAX_REPLIES) return { value: undefined }
  return denied(tooLarge(target.replies))
}

/** An assignment with more replies than can be read at once. */
export function tooLarge(replies: number): ToolError<"assignment_too_large"> {
  return new ToolError(
    "assignment_too_large",
    `This todo has ${replies} direct replies of ${MAX_REPLIES}. Post without reply_to, reply to a reply, or settle the todo.`,
    { details: { reply_count: replies, max_replies: MAX_REPLIES } },
  )
}

/** What a keyed post meets under its key (spec messages.md §4). */
export function decideDelivery(
  earlier: Pick<Message, "messageId" | "delivery">,
  contentHash: string,
): Decision<MessageId> {
  if (earlier.delivery?.contentHash === contentHash) return { value: earlier.messageId }
  return denied(
    new ToolError(
      "idempotency_conflict",
      "This delivery_key was used for another message of this board. Use a new key for other content.",
      { details: { message_id: earlier.messageId } },
    ),
  )
}

/** How many messages must go before one more is posted. */
export function surplus(retained: number): number {
  return Math.max(0, retained - MAX_RETAINED + 1)
}

/**
 * A board after eviction for one post (spec messages.md §3); `undefined` when every message that could go still obliges
 * somebody. `victims` are evictable, in the order of their revision.
 */
export function decideRoom(
  board: Board,
  room: { readonly retained: number; readonly victims: readonly MessageFacts[] },
): { readonly board: Board; readonly evicted: readonly MessageFacts[] } | undefined {
  const evicted = room.victims.slice(0, surplus(room.retained))
  return room.retained - evicted.length < MAX_RETAINED ? { board: lifted(board, evicted), evicted } : undefined
}

/** The refusal of a post for want of room: an obligation is refused loudly, never dropped silently. */
export function boardFull(retained: number, open: OpenBoard): ToolError<"message_board_full"> {
  return new ToolError(
    "message_board_full",
    `The board holds ${retained} messages that all still oblige somebody. Resolve some, then post again.`,
    { details: { retained, open_counts: open.counts, ack_required_open: open.ackRequired } },
  )
}

/** A stored message that fails its schema and cannot be used. */
export function unreadable(messageId: MessageId): ToolError<"message_unreadable"> {
  return new ToolError(
    "message_unreadable",
    "The stored message is damaged and cannot be read. Resolve it and post what is needed again.",
    { details: { message_id: messageId } },
  )
}

/** A board whose floor is at least the highest revision of what was evicted. */
export function lifted(board: Board, evicted: readonly MessageFacts[]): Board {
  return { ...board, floor: evicted.reduce((floor, victim) => Math.max(floor, victim.revision), board.floor) }
}

/** What resolving a message does; absent `resolution` keeps the state of one that is resolved already. */
export function decideResolve(
  message: Settling,
  command: { readonly resolution?: string; readonly at: number },
): Decision<{ readonly changed: boolean; readonly alreadyResolved: boolean; readonly resolvedAt: number }> {
  const { status, completion } = message
  if (status === "open") return { value: { changed: true, alreadyResolved: false, resolvedAt: command.at } }
  const resolvedAt = message.resolvedAt ?? command.at
  const asks = command.resolution !== undefined && command.resolution !== message.resolution
  if (!asks) return { value: { changed: false, alreadyResolved: true, resolvedAt } }
  if (completion !== undefined) return denied(alreadyCompleted(completion))
  return { value: { changed: true, alreadyResolved: true, resolvedAt } }
}

/** A todo that an answer has settled. */
export function alreadyCompleted(completion: {
  readonly answerId: MessageId
  readonly id: string
}): ToolError<"already_completed"> {
  return new ToolError("already_completed", "This todo was completed already; its answer stands. Read the answer.", {
    details: { answer_message_id: completion.answerId, completion_id: completion.id },
  })
}

/** An intent to complete a todo. */
export interface CompleteCommand {
  readonly completionId: string
  readonly completionHash: string
  /** Well formed. */
  readonly expectedFence: string
}

/** What a completion may do: commit, repeat the first answer, or say that what was read is no longer so. */
export type Completing =
  | { readonly kind: "commit" }
  | { readonly kind: "replay"; readonly answerId: MessageId }
  | { readonly kind: "stale"; readonly reason: "changed" | "resolved" }

/** Checks 5 to 10 of spec messages.md §7: the todo as it is, and the fence of the state just before. */
export function decideComplete(todo: Settling, fence: string, command: CompleteCommand): Decision<Completing> {
  if (todo.status === "open") {
    const fits = fence === command.expectedFence
    return { value: fits ? { kind: "commit" } : { kind: "stale", reason: "changed" } }
  }
  const { completion } = todo
  if (completion === undefined) return { value: { kind: "stale", reason: "resolved" } }
  if (completion.id !== command.completionId) return denied(alreadyCompleted(completion))
  if (completion.hash === command.completionHash) return { value: { kind: "replay", answerId: completion.answerId } }
  return denied(
    new ToolError(
      "idempotency_conflict",
      "This completion_key has completed the todo with other content. The first answer stands; use it.",
      { details: { answer_message_id: completion.answerId } },
    ),
  )
}
