import { type Selectable, sql } from "kysely"
import { LIVE_STATUSES } from "../../../core/jobs/record.ts"
import type { JobStore } from "../../../core/jobs/store.ts"
import type { JobId } from "../../../core/kernel/ids.ts"
import type { Queries } from "../queries.ts"
import { changedColumns } from "../rows/changed-columns.ts"
import { jobOf, jobRow } from "../rows/job-row.ts"
import { toJson } from "../rows/json.ts"
import type { JobsTable } from "../schema.ts"
import { statement } from "../statement.ts"
import { jobCount, jobPage } from "./job-list.ts"

const byId = statement<{ id: JobId }>()((db, param) =>
  db.selectFrom("jobs").selectAll().where("job_id", "=", param("id")),
)

const byKey = statement<{ owner: string; tool: string; project: string; key: string }>()((db, param) =>
  db
    .selectFrom("jobs")
    .selectAll()
    .where("owner_fingerprint", "=", param("owner"))
    .where("tool", "=", param("tool"))
    // As the unique index spells it.
    .where(sql<string>`coalesce(project_pk, '')`, "=", param("project"))
    .where("idempotency_key", "=", param("key")),
)

const insert = statement<Selectable<JobsTable>>()((db, param) =>
  db.insertInto("jobs").values({
    job_id: param("job_id"),
    kind: param("kind"),
    tool: param("tool"),
    owner_fingerprint: param("owner_fingerprint"),
    principal_id: param("principal_id"),
    project_pk: param("project_pk"),
    session_id: param("session_id"),
    call_id: param("call_id"),
    invocation_id: param("invocation_id"),
    idempotency_key: param("idempotency_key"),
    input_digest: param("input_digest"),
    purpose: param("purpose"),
    expectation_json: param("expectation_json"),
    shell_uid: param("shell_uid"),
    target: param("target"),
    resource: param("resource"),
    cwd: param("cwd"),
    status: param("status"),
    execution_state: param("execution_state"),
    outcome_json: param("outcome_json"),
    late_outcome_json: param("late_outcome_json"),
    handed_over: param("handed_over"),
    timeout_ms: param("timeout_ms"),
    host_id: param("host_id"),
    created_at: param("created_at"),
    started_at: param("started_at"),
    finished_at: param("finished_at"),
    recovering_since: param("recovering_since"),
    stop_requested_at: param("stop_requested_at"),
    stop_cause: param("stop_cause"),
    recovered: param("recovered"),
    output_gap: param("output_gap"),
    output_json: param("output_json"),
    output_state: param("output_state"),
    revision: param("revision"),
  }),
)

type ActiveFilter = Parameters<JobStore["active"]>[0] & Parameters<JobStore["countActive"]>[0]

function live(queries: Queries, { hostId, projectPk, sessionId, kind }: ActiveFilter) {
  const unfinished = queries.builder.selectFrom("jobs").where("finished_at", "is", null)
  let select = unfinished.where("status", "in", LIVE_STATUSES)
  if (hostId !== undefined) select = select.where("host_id", "=", hostId)
  if (projectPk !== undefined) select = select.where("project_pk", "=", projectPk)
  if (sessionId !== undefined) select = select.where("session_id", "=", sessionId)
  if (kind !== undefined) select = select.where("kind", "=", kind)
  return select
}

type Retention = Parameters<JobStore["expired"]>[0]

const ended = (queries: Queries) => queries.builder.selectFrom("jobs").where("finished_at", "is not", null)

/** Finished Jobs whose time is over: earlier for those that never outlived their call. */
async function tooOld(queries: Queries, { quickBefore, otherBefore, limit }: Retention): Promise<readonly JobId[]> {
  const over = ended(queries).where((where) =>
    where.or([
      where.and([where("handed_over", "=", 0), where("finished_at", "<", quickBefore)]),
      where("finished_at", "<", otherBefore),
    ]),
  )
  const rows = await queries.all(over.select("job_id").orderBy("finished_at").limit(limit).compile())
  return rows.map(({ job_id }) => job_id)
}

/** The oldest finished Jobs beyond the number that is kept. */
async function tooMany(queries: Queries, { keepNewest, limit }: Retention): Promise<readonly JobId[]> {
  if (keepNewest === undefined) return []
  const count = await queries.first(
    ended(queries)
      .select((of) => of.fn.countAll<number>().as("total"))
      .compile(),
  )
  const excess = Number(count?.total ?? 0) - keepNewest
  if (excess <= 0) return []
  const oldest = ended(queries).select("job_id").orderBy("finished_at").limit(Math.min(excess, limit))
  return (await queries.all(oldest.compile())).map(({ job_id }) => job_id)
}

/** Table `jobs`. */
export function createJobStore(queries: Queries): JobStore {
  const { builder } = queries
  return {
    async byId(id) {
      const row = await queries.first(queries.bind(byId, { id }))
      return row && jobOf(row)
    },
    async byKey({ ownerFingerprint: owner, tool, projectPk: project = "", key }) {
      const row = await queries.first(queries.bind(byKey, { owner, tool, project, key }))
      return row && jobOf(row)
    },
    page: (of) => jobPage(queries, of),
    count: (filter) => jobCount(queries, filter),
    async insert(job) {
      await queries.change(queries.bind(insert, jobRow(job)))
    },
    async update(job, before) {
      const changed = changedColumns(jobRow(before), jobRow({ ...job, revision: before.revision + 1 }))
      const update = builder.updateTable("jobs").set(changed).where("job_id", "=", before.jobId)
      const guarded = update.where("status", "in", LIVE_STATUSES).where("revision", "=", before.revision)
      return (await queries.change(guarded.compile())) > 0
    },
    async active(filter) {
      const select = live(queries, filter).selectAll().orderBy("created_at").orderBy("job_id")
      return (await queries.all(select.compile())).map(jobOf)
    },
    async countActive(filter) {
      const count = live(queries, filter).select((of) => of.fn.countAll<number>().as("total"))
      return Number((await queries.first(count.compile()))?.total ?? 0)
    },
    async noteLateOutput(id, output) {
      const update = builder.updateTable("jobs").set({ output_json: toJson(output) })
      await queries.change(update.where("job_id", "=", id).where("finished_at", "is not", null).compile())
    },
    async noteLateOutcome(id, outcome) {
      const update = builder.updateTable("jobs").set({ late_outcome_json: toJson(outcome) })
      await queries.change(update.where("job_id", "=", id).where("status", "=", "lost").compile())
    },
    async evictOutput(id) {
      const update = builder.updateTable("jobs").set({ output_state: "evicted" })
      await queries.change(update.where("job_id", "=", id).compile())
    },
    async expired(bounds) {
      const ids = [...(await tooOld(queries, bounds)), ...(await tooMany(queries, bounds))]
      return [...new Set(ids)].slice(0, bounds.limit)
    },
    async remove(ids) {
      if (ids.length === 0) return
      await queries.change(builder.deleteFrom("jobs").where("job_id", "in", ids).compile())
    },
  }
}
