import type { MessageId, SessionId } from "../kernel/ids.ts"
import type {
  Board,
  Completion,
  Message,
  MessageFacts,
  MessageKind,
  MessageStatus,
  OpenBoard,
  StoredMessage,
} from "./record.ts"

/** Which messages a list names; all given members must hold. */
export interface MessageFilter {
  readonly kind?: MessageKind
  readonly status?: MessageStatus
  readonly messageId?: MessageId
  readonly replyTo?: MessageId
}

/** How a message is settled. */
export interface Settlement {
  readonly revision: number
  readonly resolvedAt: number
  readonly resolution?: string
  readonly completion?: Completion
}

/** How far a board and its Session have come: equal as long as neither changed. */
export type BoardVersion = string

/** Message rows and the board's counters in the Session row, inside the caller's transaction (spec messages.md §9). */
export interface MessageStore {
  /** The counters; in a write transaction the Session row is the board's serialisation point. `undefined`: no such Session. */
  board(sessionId: SessionId): Promise<Board | undefined>
  /** The versions of several boards; a Session that does not exist has none. */
  versions(sessionIds: readonly SessionId[]): Promise<ReadonlyMap<SessionId, BoardVersion>>
  /** Writes the counters and raises the Session's `updatedAt` to `at`, never lowers it. */
  move(sessionId: SessionId, board: Omit<Board, "lifecycle">, at: number): Promise<void>
  insert(message: Message): Promise<void>
  settle(sessionId: SessionId, pos: number, settlement: Settlement): Promise<void>
  /** Stamps the first acknowledgement. */
  acknowledge(
    sessionId: SessionId,
    pos: number,
    stamp: { readonly revision: number; readonly at: number },
  ): Promise<void>
  remove(sessionId: SessionId, pos: number): Promise<void>
  byId(sessionId: SessionId, messageId: MessageId): Promise<StoredMessage | undefined>
  byDeliveryKey(sessionId: SessionId, keyHash: string): Promise<StoredMessage | undefined>
  retained(sessionId: SessionId): Promise<number>
  /** Messages by ascending revision above `after`: the order in which they may be evicted. */
  oldestChanged(sessionId: SessionId, after: number, limit: number): Promise<readonly MessageFacts[]>
  /** Whole messages with a revision above `after`, ascending. */
  changedAfter(sessionId: SessionId, after: number, limit: number): Promise<readonly StoredMessage[]>
  /** Newest first, only those posted before `beforePos`. */
  list(
    sessionId: SessionId,
    filter: MessageFilter,
    page: { readonly beforePos?: number; readonly limit: number },
  ): Promise<readonly StoredMessage[]>
  matching(sessionId: SessionId, filter: MessageFilter): Promise<number>
  /** Direct replies, oldest first. */
  replies(sessionId: SessionId, messageId: MessageId, limit: number): Promise<readonly StoredMessage[]>
  replyCount(sessionId: SessionId, messageId: MessageId): Promise<number>
  /** Every retained message, oldest first. */
  all(sessionId: SessionId): Promise<readonly StoredMessage[]>
  open(sessionId: SessionId): Promise<OpenBoard>
  /** The same of several boards; one with nothing open may be left out. */
  openOnEach(sessionIds: readonly SessionId[]): Promise<ReadonlyMap<SessionId, OpenBoard>>
  /** Open messages that require an acknowledgement, oldest first. */
  ackRequired(sessionId: SessionId): Promise<readonly MessageFacts[]>
}
