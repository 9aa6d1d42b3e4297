import { sql } from "kysely"
import { LIVE_STATUSES } from "../../../core/jobs/record.ts"
import type { SessionId } from "../../../core/kernel/ids.ts"
import type { ExpiryBounds } from "../../../core/sessions/store.ts"
import { LIVE_SHELL_STATES } from "../../../core/shells/record.ts"
import type { Queries } from "../queries.ts"

/** Sessions whose time is over and in which nothing goes on (spec sessions.md §3.4). */
function expired({ builder }: Queries, { closedBefore, activeBefore }: ExpiryBounds) {
  const calls = builder
    .selectFrom("open_calls")
    .select("call_id")
    .where("open_calls.session_id", "=", sql.ref<SessionId>("sessions.session_id"))
  const jobs = builder
    .selectFrom("jobs")
    .select("job_id")
    .where("jobs.session_id", "=", sql.ref<SessionId>("sessions.session_id"))
    .where("jobs.status", "in", LIVE_STATUSES)
  const shells = builder
    .selectFrom("shells")
    .select("shell_uid")
    .where("shells.session_id", "=", sql.ref<SessionId>("sessions.session_id"))
    .where("shells.state", "in", LIVE_SHELL_STATES)
  return builder
    .selectFrom("sessions")
    .where((where) =>
      where.or([
        where.and([where("lifecycle", "=", "closed"), where("updated_at", "<", closedBefore)]),
        where.and([where("lifecycle", "=", "active"), where("updated_at", "<", activeBefore)]),
      ]),
    )
    .where(({ not, exists }) => not(exists(calls)))
    .where(({ not, exists }) => not(exists(jobs)))
    .where(({ not, exists }) => not(exists(shells)))
}

/** The oldest of them. */
export async function expirable(queries: Queries, bounds: ExpiryBounds, limit: number): Promise<readonly SessionId[]> {
  const rows = expired(queries, bounds).select("session_id").orderBy("updated_at").orderBy("session_id").limit(limit)
  return (await queries.all(rows.compile())).map(({ session_id }) => session_id)
}

/** Replaces one of them by its tombstone; everything that belongs to it goes with its row. */
export async function expire(
  queries: Queries,
  sessionId: SessionId,
  { at, ...bounds }: ExpiryBounds & { readonly at: number },
): Promise<boolean> {
  const { builder } = queries
  const remains = expired(queries, bounds)
    .where("session_id", "=", sessionId)
    .select([
      "session_id",
      "owner_authority_fingerprint",
      "project_pk",
      "lifecycle",
      sql<number>`${at}`.as("expired_at"),
    ])
  const tombstone = builder
    .insertInto("expired_sessions")
    .columns(["session_id", "owner_authority_fingerprint", "project_pk", "lifecycle", "expired_at"])
    .expression(remains)
  if ((await queries.change(tombstone.compile())) === 0) return false
  await queries.change(builder.deleteFrom("sessions").where("session_id", "=", sessionId).compile())
  return true
}
