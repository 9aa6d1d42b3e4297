import type { SessionId } from "../../../core/kernel/ids.ts"
import { readSession } from "../../../core/sessions/read.ts"
import { projectOf, sessionView } from "../../../core/sessions/view.ts"
import type { SessionDesk } from "./desk.ts"

/**
 * A Session as JSON Lines, all of one state: one line of the Session, then its retained events, oldest first, masked as
 * every reader sees them (spec sessions.md §6). @throws ToolError `unknown_session_id`, `session_unreadable`
 */
export async function readExport(
  { store, ledger, ownerKind }: SessionDesk,
  sessionId: SessionId,
): Promise<readonly object[]> {
  return await store.read(async (tx) => {
    const session = await readSession(tx, sessionId)
    const view = sessionView(session, await projectOf(tx, session))
    const title = view.title === undefined ? {} : { title: ledger.redact(view.title) }
    const events = await ledger.newest(tx, sessionId, ledger.limits.retainedEvents)
    return [
      { type: "session", ...view, ...title, owner: ownerKind(session.ownerFingerprint) },
      ...events.toReversed().map((event) => ({ type: "event", ...event })),
    ]
  })
}
