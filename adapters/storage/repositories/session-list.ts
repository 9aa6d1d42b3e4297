import type { Kysely, RawBuilder, Selectable } from "kysely"
import type { ListedSession, SessionFilter, SessionPosition } from "../../../core/sessions/store.ts"
import type { Queries } from "../queries.ts"
import { sessionOf } from "../rows/session-row.ts"
import type { Schema, SessionsTable } from "../schema.ts"
import { statement } from "../statement.ts"
import { following, type ListPlace, ofSlugs } from "./list-conditions.ts"

/** A value, or its place in a statement that is compiled once. */
type Value<T> = T | RawBuilder<T>

const rowsIn = (db: Kysely<Schema>) => db.selectFrom("sessions")
type Rows = ReturnType<typeof rowsIn>

const ofOwner = (rows: Rows, owner: Value<string>): Rows => rows.where("owner_authority_fingerprint", "=", owner)

/** Rows of a list, in no order yet. */
function matching(rows: Rows, { ownerFingerprint, slugs, projectPk, lifecycle }: SessionFilter): Rows {
  let some = ownerFingerprint === undefined ? rows : ofOwner(rows, ownerFingerprint)
  if (projectPk !== undefined) some = some.where("project_pk", "=", projectPk)
  if (lifecycle !== undefined) some = some.where("lifecycle", "=", lifecycle)
  return slugs === "*" ? some : some.where(ofSlugs(slugs))
}

const placeOf = ({ updatedAt, sessionId }: SessionPosition): ListPlace => ({
  time: ["updated_at", updatedAt],
  id: ["session_id", sessionId],
})

const LIFECYCLES = ["active", "closed"] as const

/** The first rows of each lifecycle, in which an index has them in the order of the list, merged, with their Projects. */
function pageOf(db: Kysely<Schema>, rows: Rows, limit: Value<number>) {
  const [active, closed] = LIFECYCLES.map((lifecycle) =>
    db
      .selectFrom(
        rows
          .where("lifecycle", "=", lifecycle)
          .select(["session_id", "updated_at"])
          .orderBy("updated_at", "desc")
          .orderBy("session_id")
          .limit(limit)
          .as("first"),
      )
      .select("first.session_id"),
  )
  if (active === undefined || closed === undefined) throw new Error("A list has two lifecycles.")
  return db
    .selectFrom(active.unionAll(closed).as("page"))
    .innerJoin("sessions", "sessions.session_id", "page.session_id")
    .leftJoin("projects", "projects.pk", "sessions.project_pk")
    .selectAll("sessions")
    .select(["projects.slug", "projects.unregistered_at"])
    .orderBy("sessions.updated_at", "desc")
    .orderBy("sessions.session_id")
    .limit(limit)
}

/** The page that is asked for most: the first of all of an authority group's Sessions. */
const firstPage = statement<{ owner: string; limit: number }>()((db, param) =>
  pageOf(db, ofOwner(rowsIn(db), param("owner")), param("limit")),
)

/** A page of a list. */
export async function sessionPage(
  queries: Queries,
  { after, limit, ...filter }: SessionFilter & { readonly after?: SessionPosition; readonly limit: number },
): Promise<readonly ListedSession[]> {
  const { ownerFingerprint: owner, projectPk, lifecycle, slugs } = filter
  const isWhole = after === undefined && projectPk === undefined && lifecycle === undefined && slugs === "*"
  if (isWhole && owner !== undefined) {
    return (await queries.all(queries.bind(firstPage, { owner, limit }))).map(listed)
  }
  const { builder } = queries
  const some = matching(rowsIn(builder), filter)
  const page = pageOf(builder, after === undefined ? some : some.where(following(placeOf(after))), limit)
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
  const count = matching(rowsIn(queries.builder), filter).select((of) => of.fn.countAll<number>().as("total"))
  return Number((await queries.first(count.compile()))?.total ?? 0)
}
