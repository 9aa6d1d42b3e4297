import type { DraftEvent, Ledger } from "../../ledger/ledger.ts"
import type { Tx } from "../../store.ts"
import type { SessionId } from "../ids.ts"

/** An event and the Session whose ledger takes it. */
export interface Entry {
  readonly sessionId: SessionId
  readonly event: DraftEvent
}

/** Where an entry landed. */
export interface Placed {
  readonly seq: number
  readonly eventId: string
}

/**
 * Appends entries of one call, in their order within a Session; Sessions are taken in ascending id, so that two processes
 * never wait for each other's rows (spec sessions.md §5.3). Answers in the order of the entries.
 */
export async function appendEntries(tx: Tx, ledger: Ledger, entries: readonly Entry[]): Promise<readonly Placed[]> {
  const sessions = [...new Set(entries.map((entry) => entry.sessionId))].sort()
  const [only] = sessions
  if (only !== undefined && sessions.length === 1) return appendOwn(tx, ledger, { sessionId: only, own: entries })
  const placed = new Map<Entry, Placed>()
  for (const sessionId of sessions) {
    const own = entries.filter((entry) => entry.sessionId === sessionId)
    const places = await appendOwn(tx, ledger, { sessionId, own })
    for (const [index, entry] of own.entries()) {
      const place = places[index]
      if (place !== undefined) placed.set(entry, place)
    }
  }
  return entries.flatMap((entry) => placed.get(entry) ?? [])
}

async function appendOwn(
  tx: Tx,
  ledger: Ledger,
  { sessionId, own }: { readonly sessionId: SessionId; readonly own: readonly Entry[] },
): Promise<readonly Placed[]> {
  const events = own.map((entry) => entry.event)
  const { first_seq, event_ids } = await ledger.append(tx, sessionId, events)
  return event_ids.map((eventId, index) => ({ seq: first_seq + index, eventId }))
}
