import { z } from "zod"
import { fittingPage } from "../kernel/budget/fitting-page.ts"
import type { Call } from "../kernel/call.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import { decodeCursor, encodeCursor, foreignCursor } from "../kernel/list-cursor.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { NOTHING_OPEN } from "../messages/glance.ts"
import type { OpenBoard } from "../messages/record.ts"
import { ackRequiredMember, openCountsSchema } from "../messages/view.ts"
import type { Project } from "../projects/record.ts"
import type { Tx } from "../store.ts"
import { requireOwner } from "./create.ts"
import type { ListedSession, SessionPosition } from "./store.ts"

const time = (what: string) => z.number().int().describe(`${what}, ms since 1970.`)

/** One Session in `list_sessions`; of one whose row is damaged only id and `lifecycle: "unreadable"` (spec sessions.md §5.8). */
export const listedSessionSchema = z.object({
  session_id: sessionIdSchema.describe("The Workflow Session."),
  project: textSchema(1, 64).describe("Project slug; absent for a Session without a Project.").optional(),
  project_unregistered: z.literal(true).describe("The Project's registration has ended.").optional(),
  title: textSchema(1, 200).describe("Title.").optional(),
  lifecycle: z.enum(["active", "closed", "unreadable"]).describe("unreadable: its stored row is damaged."),
  mode: z.enum(["normal", "read_only"]).describe("Mode.").optional(),
  created_at: time("Start").optional(),
  updated_at: time("Newest event").optional(),
  closed_at: time("End").optional(),
  events_total: z.number().int().min(0).describe("Events ever recorded.").optional(),
  open_counts: openCountsSchema.describe("What is open on its board.").optional(),
  ack_required_open: ackRequiredMember.optional(),
})
/** A value of `listedSessionSchema`. */
export type ListedSessionView = z.infer<typeof listedSessionSchema>

/** What a list of Sessions is asked with (spec sessions.md §6). */
export interface SessionListRequest {
  /** Only Sessions of this registration. */
  readonly project?: Project
  readonly lifecycle?: "active" | "closed"
  readonly limit: number
  readonly cursor?: string
}

/** A Session of a list and its board as every reader sees them. */
function listedSessionView({ row, project }: ListedSession, open: OpenBoard): ListedSessionView {
  const place = {
    ...(project === undefined ? {} : { project: project.slug }),
    ...(project?.unregistered === true ? { project_unregistered: true as const } : {}),
  }
  if (!row.readable) return { session_id: row.sessionId, ...place, lifecycle: "unreadable" }
  const { session } = row
  return {
    session_id: session.sessionId,
    ...place,
    ...(session.title === undefined ? {} : { title: session.title }),
    lifecycle: session.lifecycle,
    mode: session.mode,
    created_at: session.createdAt,
    updated_at: session.updatedAt,
    ...(session.closedAt === undefined ? {} : { closed_at: session.closedAt }),
    events_total: session.eventsObserved,
    open_counts: { ...open.counts },
    ack_required_open: open.ackRequired,
  }
}

/** The Sessions of a page as every reader sees them, in the transaction that read the page. */
export async function listedSessionViews(
  tx: Tx,
  page: readonly ListedSession[],
): Promise<readonly ListedSessionView[]> {
  const open = await tx.messages.openOnEach(page.map(({ position }) => position.sessionId))
  return page.map((one) => listedSessionView(one, open.get(one.position.sessionId) ?? NOTHING_OPEN))
}

const positionText = ({ updatedAt, sessionId }: SessionPosition): string => `${updatedAt}.${sessionId}`

function positionOf(cursor: string, filters: readonly (string | undefined)[]): SessionPosition {
  const [, updatedAt, id] = /^(\d{1,16})\.(.+)$/.exec(decodeCursor(cursor, filters)) ?? []
  const sessionId = sessionIdSchema.safeParse(id)
  if (updatedAt === undefined || !sessionId.success) throw foreignCursor()
  return { updatedAt: Number(updatedAt), sessionId: sessionId.data }
}

/**
 * One page of the Sessions of the caller's authority group whose Project it may access, newest change first. A Session that
 * is touched between two pages may move; one that is not is in exactly one page (spec sessions.md §6).
 */
export async function listSessions(
  call: Pick<Call, "caller" | "ports" | "budget">,
  { project, lifecycle, limit, cursor }: SessionListRequest,
): Promise<{ sessions: ListedSessionView[]; total: number; next_cursor?: string }> {
  const ownerFingerprint = requireOwner(call)
  const filters = [project?.pk, lifecycle, ownerFingerprint]
  const filter = {
    ownerFingerprint,
    slugs: call.caller.projects,
    ...(project === undefined ? {} : { projectPk: project.pk }),
    ...(lifecycle === undefined ? {} : { lifecycle }),
  }
  const after = cursor === undefined ? {} : { after: positionOf(cursor, filters) }
  const { listed, views, total } = await call.ports.store.read(async (tx) => {
    const listed = await tx.sessions.page({ ...filter, ...after, limit: limit + 1 })
    return { listed, views: await listedSessionViews(tx, listed), total: await tx.sessions.count(filter) }
  })
  const sessions = fittingPage(views, limit, call.budget.chars / 2)
  const last = listed[sessions.length - 1]
  const more = listed.length > sessions.length && last !== undefined
  return { sessions, total, ...(more ? { next_cursor: encodeCursor(positionText(last.position), filters) } : {}) }
}
