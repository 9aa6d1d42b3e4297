import { authorityFingerprint, type Caller, mayAccessProject } from "../../access/principal.ts"
import type { WorkflowSession } from "../../sessions/record.ts"
import type { Tx } from "../../store.ts"
import { ToolError } from "../error.ts"
import type { SessionId } from "../ids.ts"
import type { Role } from "./roles.ts"

/** Which Session is asked for, by whom, in which role. */
export interface SessionRequest {
  readonly id: SessionId
  readonly role: Role
  readonly caller: Caller
}

/**
 * Steps 3a, 3c: a Session after both checks, access to its Project and equal fingerprint. @throws `unknown_session_id`,
 * `project_not_found`, `session_authority_denied`, `session_unreadable`.
 */
export async function loadSession(tx: Tx, { id, role, caller }: SessionRequest): Promise<WorkflowSession> {
  const row = await tx.sessions.byId(id)
  if (row === undefined) throw await unknownSession(tx, { id, role, caller })
  const stored = row.readable ? row.session : row
  if (stored.projectPk !== undefined) {
    const project = await tx.projects.byPk(stored.projectPk)
    if (project === undefined || !mayAccessProject(caller, project.slug)) throw projectNotFound()
  }
  if (stored.ownerFingerprint !== fingerprintOf(caller))
    throw new ToolError(
      "session_authority_denied",
      "This Session belongs to another authority group. Use a Session of your own, or start one.",
    )
  if (row.readable) return row.session
  throw new ToolError(
    "session_unreadable",
    "The stored record of this Session is damaged and cannot be used. Start another Session.",
    { details: { session_id: id, role } },
  )
}

function fingerprintOf(caller: Caller): string | undefined {
  return caller.authority === undefined ? undefined : authorityFingerprint(caller.authority)
}

async function unknownSession(tx: Tx, { id, role, caller }: SessionRequest): Promise<ToolError> {
  const tombstone = await tx.sessions.tombstone(id)
  const isOwn = tombstone !== undefined && tombstone.ownerFingerprint === fingerprintOf(caller)
  return new ToolError(
    "unknown_session_id",
    isOwn
      ? "This Session has expired and is gone. Start another Session."
      : "There is no Session with this id. Send the session_id that a start gave you, or start one.",
    {
      details: isOwn ? { role, reason: "expired", expired_at: tombstone.expiredAt } : { role, reason: "unknown" },
    },
  )
}

/** The one answer for a Project that does not exist and for one outside the caller's access (spec kernel.md §2.3). */
export function projectNotFound(): ToolError<"project_not_found"> {
  return new ToolError(
    "project_not_found",
    "There is no such Project for this caller. Ask list_projects for the slugs.",
  )
}
