import type { Kysely, Selectable } from "kysely"
import { LIVE_STATUSES } from "../../../core/jobs/record.ts"
import type { JobFilter, JobPosition, ListedJob } from "../../../core/jobs/store.ts"
import type { Queries } from "../queries.ts"
import { jobOf } from "../rows/job-row.ts"
import type { JobsTable, Schema } from "../schema.ts"
import { following, type ListPlace, ofSlugs } from "./list-conditions.ts"

const rowsIn = (db: Kysely<Schema>) => db.selectFrom("jobs")
type Rows = ReturnType<typeof rowsIn>

function matching(rows: Rows, { ownerFingerprint, projectPk, sessionId, shellUid, statuses, slugs }: JobFilter): Rows {
  let some = rows.where("owner_fingerprint", "=", ownerFingerprint)
  if (projectPk !== undefined) some = some.where("project_pk", "=", projectPk)
  if (sessionId !== undefined) some = some.where("session_id", "=", sessionId)
  if (shellUid !== undefined) some = some.where("shell_uid", "=", shellUid)
  if (statuses !== undefined) some = some.where("status", "in", statuses)
  return slugs === "*" ? some : some.where(ofSlugs(slugs))
}

/** Those that outlived their call, and the others: in each an index has the rows in the order of the list. */
function halves(db: Kysely<Schema>, filter: JobFilter): readonly [Rows, Rows] {
  const others = matching(rowsIn(db), filter).where("handed_over", "=", 0)
  return [
    matching(rowsIn(db), filter).where("handed_over", "=", 1),
    filter.includeQuick ? others : others.where("status", "in", LIVE_STATUSES),
  ]
}

const placeOf = ({ createdAt, jobId }: JobPosition): ListPlace => ({
  time: ["created_at", createdAt],
  id: ["job_id", jobId],
})

/** A page of a list, newest first, with the names of Projects and shells. */
export async function jobPage(
  queries: Queries,
  { after, limit, ...filter }: JobFilter & { readonly after?: JobPosition; readonly limit: number },
): Promise<readonly ListedJob[]> {
  const { builder } = queries
  const [handedOver, others] = halves(builder, filter).map((rows) =>
    builder
      .selectFrom(
        (after === undefined ? rows : rows.where(following(placeOf(after))))
          .select(["job_id", "created_at"])
          .orderBy("created_at", "desc")
          .orderBy("job_id")
          .limit(limit)
          .as("first"),
      )
      .select("first.job_id"),
  )
  if (handedOver === undefined || others === undefined) return []
  const page = builder
    .selectFrom(handedOver.unionAll(others).as("page"))
    .innerJoin("jobs", "jobs.job_id", "page.job_id")
    .leftJoin("projects", "projects.pk", "jobs.project_pk")
    .leftJoin("shells", "shells.shell_uid", "jobs.shell_uid")
    .selectAll("jobs")
    .select(["projects.slug", "projects.client_id", "shells.shell_id"])
    .orderBy("jobs.created_at", "desc")
    .orderBy("jobs.job_id")
    .limit(limit)
  return (await queries.all(page.compile())).map(listed)
}

type PageRow = Selectable<JobsTable> & {
  readonly slug: string | null
  readonly client_id: string | null
  readonly shell_id: string | null
}

function listed({ slug, client_id, shell_id, ...row }: PageRow): ListedJob {
  return {
    job: jobOf(row),
    ...(slug === null || client_id === null ? {} : { project: { slug, clientId: client_id } }),
    ...(shell_id === null ? {} : { shellId: shell_id }),
  }
}

/** How many rows a list has on all its pages. */
export async function jobCount(queries: Queries, filter: JobFilter): Promise<number> {
  let total = 0
  for (const rows of halves(queries.builder, filter)) {
    const count = rows.select((of) => of.fn.countAll<number>().as("total"))
    total += Number((await queries.first(count.compile()))?.total ?? 0)
  }
  return total
}
