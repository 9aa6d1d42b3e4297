import type { StoredEvent } from "../../core/ledger/events.ts"
import type { DraftEvent } from "../../core/ledger/ledger.ts"

/** Start and finish of the newest call in a ledger, to be appended again. */
export function callDrafts(stored: readonly StoredEvent[]): {
  readonly started: DraftEvent
  readonly finished: DraftEvent
} {
  const draftOf = (kind: string): DraftEvent => {
    const event = stored.findLast((candidate) => candidate.kind === kind)
    if (event === undefined || event.kind === "unreadable") throw new Error(`The Session holds no ${kind}.`)
    const { seq: _seq, event_id: _id, ...draft } = event
    return draft
  }
  return { started: draftOf("tool_call_started"), finished: draftOf("tool_call_finished") }
}
