import type { MessageId, SessionId } from "../kernel/ids.ts"

/** What a message is (spec messages.md §1). */
export const MESSAGE_KINDS = [
  "note",
  "proposal",
  "question",
  "answer",
  "decision",
  "risk",
  "progress",
  "guidance",
  "todo",
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** How urgent a message is. */
export const MESSAGE_PRIORITIES = ["low", "normal", "high"] as const
export type MessagePriority = (typeof MESSAGE_PRIORITIES)[number]

/** A message is open until it is resolved, one way (spec messages.md §2). */
export type MessageStatus = "open" | "resolved"

/** The kinds that oblige somebody while they are open; a Session counts them (spec messages.md §6). */
export const OBLIGING_KINDS = ["guidance", "question", "todo", "risk"] as const
export type ObligingKind = (typeof OBLIGING_KINDS)[number]

/** How a todo was settled by an answer. */
export interface Completion {
  readonly answerId: MessageId
  /** 64 hex, by key (spec messages.md §7). */
  readonly id: string
  /** HMAC over what was answered; in no output. */
  readonly hash: string
}

/** What makes a keyed post repeatable; in no output. Both are HMACs. */
export interface Delivery {
  readonly keyHash: string
  readonly contentHash: string
}

/** One message of a Session's board (spec messages.md §1). Times are ms; texts are stored redacted. */
export interface Message {
  readonly sessionId: SessionId
  readonly messageId: MessageId
  /** Posting order, 1, 2, …; "oldest first" is this, never the clock. */
  readonly pos: number
  /** The board's revision of its newest change; distinct in its Session. */
  readonly revision: number
  readonly createdAt: number
  readonly kind: MessageKind
  readonly status: MessageStatus
  readonly priority: MessagePriority
  readonly message: string
  readonly tags: readonly string[]
  readonly replyTo?: MessageId
  readonly requiresAck: boolean
  /** An observation, never a receipt. */
  readonly firstAckObservedAt?: number
  readonly authorSessionId?: SessionId
  readonly resolvedAt?: number
  readonly resolution?: string
  readonly completion?: Completion
  readonly delivery?: Delivery
}

/** What resolving a message must know of it. */
export interface Settling {
  readonly status: MessageStatus
  readonly resolvedAt?: number
  readonly resolution?: string
  readonly completion?: Completion
}

/** A row that fails its schema is not served, but it can still be found, settled and evicted (spec messages.md §9). */
export interface UnreadableMessage extends Settling {
  readonly messageId: MessageId
  readonly pos: number
  readonly revision: number
  readonly kind: MessageKind
}

/** A message row as read. */
export type StoredMessage =
  | { readonly readable: true; readonly message: Message }
  | { readonly readable: false; readonly message: UnreadableMessage }

/** A Session's row as its board sees it (spec messages.md §3, §5, §9). */
export interface Board {
  readonly lifecycle: "active" | "closed"
  /** Revision of the newest change. */
  readonly revision: number
  /** Highest revision of an evicted message; 0 while nothing was evicted. */
  readonly floor: number
  /** Largest `pos` ever used. */
  readonly lastPos: number
}

/** A message without its texts: what retention and attention are decided on. */
export interface MessageFacts {
  readonly messageId: MessageId
  readonly pos: number
  readonly revision: number
  readonly kind: MessageKind
  readonly status: MessageStatus
  readonly priority: MessagePriority
  readonly requiresAck: boolean
  readonly acknowledged: boolean
  /** A direct reply to a todo that is open. */
  readonly repliesToOpenTodo: boolean
}

/** Open messages of a board that oblige somebody (spec messages.md §6). */
export interface OpenCounts {
  readonly guidance: number
  readonly question: number
  readonly todo: number
  readonly risk: number
}

/** What is open on a board. */
export interface OpenBoard {
  readonly counts: OpenCounts
  readonly ackRequired: number
}
