import { ToolError } from "../kernel/error.ts"
import type { Ids, SessionId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"
import type { WorkflowSession } from "./record.ts"

const MAX_CLASHES = 16

/** The Session's row as it is now, in the caller's transaction. @throws ToolError `unknown_session_id`, `session_unreadable` */
export async function readSession(tx: Tx, sessionId: SessionId): Promise<WorkflowSession> {
  const row = await tx.sessions.byId(sessionId)
  if (row === undefined) throw await unknownSession(tx, sessionId)
  if (!row.readable) {
    throw new ToolError(
      "session_unreadable",
      "The stored Session cannot be read. Nothing was changed; start another.",
      {
        details: { session_id: sessionId, role: "business" },
      },
    )
  }
  return row.session
}

/** A Session without a row; its caller was let to it before, or is the operator, and may know that it has expired. */
async function unknownSession(tx: Tx, sessionId: SessionId): Promise<ToolError<"unknown_session_id">> {
  const tombstone = await tx.sessions.tombstone(sessionId)
  if (tombstone === undefined) {
    return new ToolError(
      "unknown_session_id",
      "There is no such Session. List those there are: list_sessions, on a command line holdfast sessions list.",
      {
        details: { role: "business", reason: "unknown" },
      },
    )
  }
  return new ToolError("unknown_session_id", "The Session has expired and is gone. Start another.", {
    details: { role: "business", reason: "expired", expired_at: tombstone.expiredAt },
  })
}

/** A Session id that no row and no tombstone has; a clash is tried again ≤ 16 times (spec sessions.md §1.1). */
export async function freeSessionId(tx: Tx, ids: Pick<Ids, "session">): Promise<SessionId> {
  for (let attempt = 0; attempt <= MAX_CLASHES; attempt += 1) {
    const id = ids.session()
    if ((await tx.sessions.byId(id)) === undefined && (await tx.sessions.tombstone(id)) === undefined) return id
  }
  throw new ToolError("internal_error", "No free Session id was found. Try again.")
}
