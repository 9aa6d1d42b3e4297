import type { Selectable } from "kysely"
import type { ListedSession, SessionFilter, SessionPosition } from "../../../core/sessions/store.ts"
import type { Queries } from "../queries.ts"
import { sessionOf } from "../rows/session-row.ts"
import type { SessionsTable } from "../schema.ts"

/** Rows of a list, in no order yet. */
function matching({ builder }: Queries, { ownerFingerprint, slugs, projectPk, lifecycle }: SessionFilter) {
  let rows = builder.selectFrom("sessions")
  if (ownerFingerprint !== undefined) rows = rows.where("owner_authority_fingerprint", "=", ownerFingerprint)
  if (projectPk !== undefined) rows = rows.where("project_pk", "=", projectPk)
  if (lifecycle !== undefined) rows = rows.where("lifecycle", "=", lifecycle)
  if (slugs === "*") return rows
  const visible = builder
    .selectFrom("projects")
    .select("pk")
    .where("slug", "in", [...slugs])
  return rows.where((where) => where.or([where("project_pk", "is", null), where("project_pk", "in", visible)]))
}

/** The first ids of one lifecycle: an index gives them in the order of the list. */
function firstOf(
  queries: Queries,
  filter: SessionFilter,
  { after, limit }: { readonly after?: SessionPosition; readonly limit: number },
) {
  let rows = matching(queries, filter).select(["sessions.session_id", "sessions.updated_at"])
  if (after !== undefined) {
    const { updatedAt, sessionId } = after
    // The first condition is implied by the second; it is what an index can start from.
    rows = rows
      .where("updated_at", "<=", updatedAt)
      .where((where) => where.or([where("updated_at", "<", updatedAt), where("session_id", ">", sessionId)]))
  }
  return queries.builder
    .selectFrom(rows.orderBy("updated_at", "desc").orderBy("session_id").limit(limit).as("first"))
    .select("first.session_id")
}

const LIFECYCLES = ["active", "closed"] as const

/** A page: the first of each lifecycle, merged, with their Projects' slugs. */
export async function sessionPage(
  queries: Queries,
  { after, limit, ...filter }: SessionFilter & { readonly after?: SessionPosition; readonly limit: number },
): Promise<readonly ListedSession[]> {
  const cut = { limit, ...(after === undefined ? {} : { after }) }
  const [first, ...more] = (filter.lifecycle === undefined ? LIFECYCLES : [filter.lifecycle]).map((lifecycle) =>
    firstOf(queries, { ...filter, lifecycle }, cut),
  )
  if (first === undefined) return []
  const ids = more.reduce((all, next) => all.unionAll(next), first)
  const page = queries.builder
    .selectFrom("sessions")
    .leftJoin("projects", "projects.pk", "sessions.project_pk")
    .where("sessions.session_id", "in", ids)
    .selectAll("sessions")
    .select(["projects.slug", "projects.unregistered_at"])
    .orderBy("sessions.updated_at", "desc")
    .orderBy("sessions.session_id")
    .limit(limit)
  return (await queries.all(page.compile())).map(listed)
}

function listed({
  slug,
  unregistered_at,
  ...row
}: Selectable<SessionsTable> & {
  readonly slug: string | null
  readonly unregistered_at: number | null
}): ListedSession {
  // A damaged time sorts before all numbers.
  const updatedAt = Number.isSafeInteger(row.updated_at) ? row.updated_at : Number.MAX_SAFE_INTEGER
  return {
    row: sessionOf(row),
    position: { updatedAt, sessionId: row.session_id },
    ...(slug === null ? {} : { project: { slug, unregistered: unregistered_at !== null } }),
  }
}

/** How many rows a list has on all its pages. */
export async function sessionCount(queries: Queries, filter: SessionFilter): Promise<number> {
  const count = matching(queries, filter).select((of) => of.fn.countAll<number>().as("total"))
  return Number((await queries.first(count.compile()))?.total ?? 0)
}
