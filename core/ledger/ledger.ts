import type { SessionId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import type { LedgerEvent, StoredEvent } from "./events.ts"

/** An event before the ledger gives it an id. */
export type DraftEvent = LedgerEvent extends infer E ? (E extends LedgerEvent ? Omit<E, "event_id"> : never) : never

/** How many events a Session keeps; tests inject a smaller number (spec sessions.md §1.3). */
export interface SessionLimits {
  readonly retainedEvents: number
  readonly maxActiveSessions: number
}

/** The seam by which every domain writes and reads a Session's ledger; it takes the caller's transaction (spec sessions.md §8). */
export interface Ledger {
  readonly limits: SessionLimits
  /** Masks secrets in one text, as `append` does in events: for prose that a domain keeps in its own rows. */
  redact(text: string): string
  /** Bounds (§5.4), redacts (§5.8), mints ids, assigns `seq`, evicts; sets the sticky edit fact (§5.5). */
  append(
    tx: Tx,
    sessionId: SessionId,
    events: readonly DraftEvent[],
  ): Promise<{ readonly first_seq: number; readonly last_seq: number; readonly event_ids: readonly string[] }>
  /** Newest first, redacted again as read. */
  newest(tx: Tx, sessionId: SessionId, limit: number, beforeSeq?: number): Promise<readonly StoredEvent[]>
}
