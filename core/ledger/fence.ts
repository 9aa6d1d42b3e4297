import type { SessionId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"

/**
 * How far a Session had come when evidence about it was gathered (spec sessions.md §5.9): two counters that only grow.
 * Internal: never serialised, no cursor, no generation.
 */
export interface Fence {
  /** `events_observed`. */
  readonly events: number
  /** `message_observation_revision` of its board. */
  readonly messages: number
}

/**
 * The fence as it stands in the caller's transaction; absent with the Session. Taken inside the handler, the call's own start
 * event is counted already.
 */
export async function readFence(tx: Tx, sessionId: SessionId): Promise<Fence | undefined> {
  const row = await tx.sessions.byId(sessionId)
  const board = await tx.messages.board(sessionId)
  if (row?.readable !== true || board === undefined) return undefined
  return { events: row.session.eventsObserved, messages: board.revision }
}

/**
 * The fence after the reader's own append: it moves along iff nothing foreign came between, else it stays where it was and
 * is tripped.
 */
export function rebased(fence: Fence, appended: { readonly first_seq: number; readonly last_seq: number }): Fence {
  return appended.first_seq === fence.events + 1 ? { ...fence, events: appended.last_seq } : fence
}

/** Whether the Session has changed since the fence was taken, or is gone (`now` absent): the basis is not complete then. */
export function isTripped(fence: Fence, now: Fence | undefined): boolean {
  return now === undefined || now.events !== fence.events || now.messages !== fence.messages
}
