import type { Insertable, Selectable } from "kysely"
import { z } from "zod"
import { projectPkSchema, sessionIdSchema } from "../../../core/kernel/ids.ts"
import type { SessionRow, WorkflowSession } from "../../../core/sessions/record.ts"
import type { SessionsTable } from "../schema.ts"
import { bit } from "./bit.ts"

const time = z.number().int()
const bitSchema = z.union([z.literal(0), z.literal(1)])

/** What a Session row must be to be trusted (spec sessions.md §1.2); the fingerprint is compared as it is, never repaired. */
const readableSchema = z.object({
  session_id: sessionIdSchema,
  project_pk: projectPkSchema.nullable(),
  title: z.string().nullable(),
  owner_authority_fingerprint: z.string(),
  lifecycle: z.enum(["active", "closed"]),
  mode: z.enum(["normal", "read_only"]),
  deny_write_tools: bitSchema,
  deny_shell_tools: bitSchema,
  default_cwd: z.string().nullable(),
  default_shell: z.enum(["sh", "bash"]).nullable(),
  resource: z.string().nullable(),
  created_at: time,
  updated_at: time,
  closed_at: time.nullable(),
  events_observed: z.number().int().min(0),
  repository_edited: bitSchema,
  message_observation_revision: z.number().int().min(0),
  message_observation_floor: z.number().int().min(0),
  message_last_pos: z.number().int().min(0),
})

/** The Session of a row, or what authority checks need of an unreadable one (spec sessions.md §5.8). */
export function sessionOf(row: Selectable<SessionsTable>): SessionRow {
  const parsed = readableSchema.safeParse(row)
  if (parsed.success) return { readable: true, session: readable(parsed.data) }
  return {
    readable: false,
    sessionId: row.session_id,
    ownerFingerprint: String(row.owner_authority_fingerprint),
    ...(row.project_pk !== null && { projectPk: row.project_pk }),
  }
}

function readable(row: z.infer<typeof readableSchema>): WorkflowSession {
  return {
    sessionId: row.session_id,
    ownerFingerprint: row.owner_authority_fingerprint,
    lifecycle: row.lifecycle,
    mode: row.mode,
    guards: { deny_write_tools: row.deny_write_tools === 1, deny_shell_tools: row.deny_shell_tools === 1 },
    context: {
      ...(row.default_cwd !== null && { default_cwd: row.default_cwd }),
      ...(row.default_shell !== null && { default_shell: row.default_shell }),
      ...(row.resource !== null && { resource: row.resource }),
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    eventsObserved: row.events_observed,
    repositoryEdited: row.repository_edited === 1,
    ...(row.project_pk !== null && { projectPk: row.project_pk }),
    ...(row.title !== null && { title: row.title }),
    ...(row.closed_at !== null && { closedAt: row.closed_at }),
  }
}

/** The columns of a Session that its own changes write; the ledger's counters are not among them. */
export function sessionChange(session: WorkflowSession) {
  return {
    title: session.title ?? null,
    lifecycle: session.lifecycle,
    mode: session.mode,
    deny_write_tools: bit(session.guards.deny_write_tools),
    deny_shell_tools: bit(session.guards.deny_shell_tools),
    default_cwd: session.context.default_cwd ?? null,
    default_shell: session.context.default_shell ?? null,
    resource: session.context.resource ?? null,
    updated_at: session.updatedAt,
    closed_at: session.closedAt ?? null,
  }
}

/** The row of a new Session. */
export function sessionRow(session: WorkflowSession): Insertable<SessionsTable> {
  return {
    ...sessionChange(session),
    session_id: session.sessionId,
    project_pk: session.projectPk ?? null,
    owner_authority_fingerprint: session.ownerFingerprint,
    created_at: session.createdAt,
    events_observed: session.eventsObserved,
    repository_edited: bit(session.repositoryEdited),
  }
}
