import type { SessionId } from "../../../core/kernel/ids.ts"
import type { StoredMessage } from "../../../core/messages/record.ts"
import { messageView } from "../../../core/messages/view.ts"
import { readSession } from "../../../core/sessions/read.ts"
import { projectOf, sessionView } from "../../../core/sessions/view.ts"
import type { SessionDesk } from "./desk.ts"

/** A message of the board, masked; of one that cannot be read what is known of it. */
function messageLine(stored: StoredMessage, redact: (text: string) => string): object {
  if (!stored.readable) {
    const { messageId, kind, status } = stored.message
    return { type: "message", message_id: messageId, kind, status, unreadable: true }
  }
  const view = messageView(stored.message)
  const resolution = view.resolution === undefined ? {} : { resolution: redact(view.resolution) }
  return { type: "message", ...view, message: redact(view.message), tags: view.tags.map(redact), ...resolution }
}

/**
 * A Session as JSON Lines, all of one state: one line of the Session, then its retained events and the messages of its board,
 * each oldest first, masked as every reader sees them (spec sessions.md §6). @throws ToolError `unknown_session_id`, `session_unreadable`
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
      ...(await tx.messages.all(sessionId)).map((stored) => messageLine(stored, ledger.redact)),
    ]
  })
}
