import type { SessionId } from "../../../core/kernel/ids.ts"
import type { StoredEvent } from "../../../core/ledger/events.ts"
import { readSession } from "../../../core/sessions/read.ts"
import type { SessionDesk } from "./desk.ts"

const POLL_MS = 250

/** The newest `lines` events, oldest first. @throws ToolError `unknown_session_id`, `session_unreadable` */
export async function readTail(
  { store, ledger }: SessionDesk,
  sessionId: SessionId,
  lines: number,
): Promise<readonly StoredEvent[]> {
  return await store.read(async (tx) => {
    await readSession(tx, sessionId)
    return (await ledger.newest(tx, sessionId, lines)).toReversed()
  })
}

/** Tells events as they come, after the one with number `after`, until the signal; ends with the Session when it expires. */
export async function followTail(
  desk: SessionDesk,
  { sessionId, after, signal }: { readonly sessionId: SessionId; readonly after: number; readonly signal: AbortSignal },
  tell: (event: StoredEvent) => void,
): Promise<void> {
  let last = after
  while (!signal.aborted) {
    const { retainedEvents } = desk.ledger.limits
    const observed = await desk.store.read(async (tx) => (await readSession(tx, sessionId)).eventsObserved)
    const fresh = Math.min(observed - last, retainedEvents)
    for (const event of fresh > 0 ? await readTail(desk, sessionId, fresh) : []) {
      if (event.seq <= last) continue
      tell(event)
      last = event.seq
    }
    await desk.clock.sleep(POLL_MS, signal).catch(() => undefined)
  }
}
