import type { Ids } from "../kernel/ids.ts"
import { boundEvent, isRepositoryEdit } from "./bounds.ts"
import type { LedgerEvent, StoredEvent } from "./events.ts"
import { ledgerEventSchema } from "./events.ts"
import type { DraftEvent, Ledger, SessionLimits } from "./ledger.ts"
import type { Redact } from "./redact-event.ts"
import { redactEvent } from "./redact-event.ts"

/** Retained events of a Session and active Sessions of an authority group (spec sessions.md §1.3). */
export const DEFAULT_SESSION_LIMITS: SessionLimits = { retainedEvents: 2000, maxActiveSessions: 10_000 }

/** What a ledger needs: ids for events, the kernel's redactor, and limits that tests make smaller. */
export interface LedgerParts {
  readonly ids: Pick<Ids, "event">
  readonly redact: Redact
  readonly limits?: Partial<SessionLimits>
}

/** The redacted form of a stored event; one that no longer fits its schema is `unreadable` (spec sessions.md §5.8). */
function readAgain(event: StoredEvent, redact: Redact): StoredEvent {
  if (event.kind === "unreadable") return event
  const { seq, ...stored } = event
  const masked = ledgerEventSchema.safeParse(redactEvent(stored, redact))
  return masked.success ? { ...masked.data, seq } : { kind: "unreadable", seq, event_id: event.event_id }
}

/**
 * The ledger over the rows of a transaction (spec sessions.md §5, §8). A draft that breaks the event union throws: it is
 * a fault of the appending domain, never of a caller.
 */
export function createLedger(parts: LedgerParts): Ledger {
  const { ids, redact } = parts
  const limits: SessionLimits = { ...DEFAULT_SESSION_LIMITS, ...parts.limits }

  const complete = (draft: DraftEvent): LedgerEvent =>
    boundEvent(ledgerEventSchema.parse(redactEvent({ ...draft, event_id: ids.event() }, redact)))

  return {
    limits,
    redact,
    async append(tx, sessionId, drafts) {
      const events = drafts.map(complete)
      const placed = await tx.ledger.append(sessionId, events, {
        retained: limits.retainedEvents,
        repositoryEdited: events.some(isRepositoryEdit),
      })
      return { ...placed, event_ids: events.map((event) => event.event_id) }
    },
    async newest(tx, sessionId, limit, beforeSeq) {
      const events = await tx.ledger.newest(sessionId, limit, beforeSeq)
      return events.map((event) => readAgain(event, redact))
    },
  }
}
