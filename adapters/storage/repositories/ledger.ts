import { sql } from "kysely"
import type { SessionId } from "../../../core/kernel/ids.ts"
import type { LedgerEvent, StoredEvent } from "../../../core/ledger/events.ts"
import { finishedCalls } from "../../../core/ledger/finished-call.ts"
import type { LedgerStore } from "../../../core/ledger/store.ts"
import type { Queries } from "../queries.ts"
import { bit } from "../rows/bit.ts"
import type { CallColumns, EndColumns } from "../rows/call-row.ts"
import { callOf, endOf } from "../rows/call-row.ts"
import type { EventColumns } from "../rows/event-row.ts"
import { eventColumns, eventOf } from "../rows/event-row.ts"
import { statement } from "../statement.ts"

const advance = statement<{ id: SessionId; count: number; at: number; edited: number }>()((db, param) =>
  db
    .updateTable("sessions")
    .set({
      events_observed: sql<number>`events_observed + ${param("count")}`,
      updated_at: sql<number>`case when updated_at < ${param("at")} then ${param("at")} else updated_at end`,
      repository_edited: sql<number>`case when ${param("edited")} = 1 then 1 else repository_edited end`,
    })
    .where("session_id", "=", param("id")),
)

const position = statement<{ id: SessionId }>()((db, param) =>
  db.selectFrom("sessions").select("events_observed").where("session_id", "=", param("id")),
)

const insert = statement<EventColumns & { session_id: SessionId; seq: number }>()((db, param) =>
  db.insertInto("session_events").values({
    session_id: param("session_id"),
    seq: param("seq"),
    event_id: param("event_id"),
    kind: param("kind"),
    at: param("at"),
    door: param("door"),
    call_id: param("call_id"),
    invocation_id: param("invocation_id"),
    role: param("role"),
    tool_name: param("tool_name"),
    status: param("status"),
    error_kind: param("error_kind"),
    execution_state: param("execution_state"),
    effect: param("effect"),
    activity: param("activity"),
    job_id: param("job_id"),
    has_validation: param("has_validation"),
    payload: param("payload"),
  }),
)

const evict = statement<{ id: SessionId; upTo: number }>()((db, param) =>
  db.deleteFrom("session_events").where("session_id", "=", param("id")).where("seq", "<=", param("upTo")),
)

const newest = statement<{ id: SessionId; before: number; limit: number }>()((db, param) =>
  db
    .selectFrom("session_events")
    .selectAll()
    .where("session_id", "=", param("id"))
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
)

const retained = statement<{ id: SessionId }>()((db, param) =>
  db.selectFrom("session_events").selectAll().where("session_id", "=", param("id")).orderBy("seq"),
)

const bounds = statement<{ id: SessionId }>()((db, param) =>
  db
    .selectFrom("session_events")
    .select((select) => [select.fn.countAll<number>().as("retained"), select.fn.min("seq").as("first")])
    .where("session_id", "=", param("id")),
)

/** Finished calls that nobody has touched since their append: only the columns that counting needs. */
const calls = statement<{ id: SessionId }>()((db, param) =>
  db
    .selectFrom("session_events")
    .select([
      "seq",
      "call_id",
      "invocation_id",
      "role",
      "tool_name",
      "status",
      "error_kind",
      "execution_state",
      "effect",
      "activity",
    ])
    .where("session_id", "=", param("id"))
    .where("kind", "=", sql.lit("tool_call_finished"))
    .where("rewritten", "=", sql.lit(0))
    .orderBy("seq")
    .$narrowType<CallColumns>(),
)

/** The same counted by how they ended; the index of the counted columns has them in this order. */
const groups = statement<{ id: SessionId }>()((db, param) =>
  db
    .selectFrom("session_events")
    .select(["role", "tool_name", "status", "error_kind", "execution_state", "effect", "activity"])
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("session_id", "=", param("id"))
    .where("kind", "=", sql.lit("tool_call_finished"))
    .where("rewritten", "=", sql.lit(0))
    .groupBy(["role", "tool_name", "status", "error_kind", "execution_state", "effect", "activity"])
    .$narrowType<EndColumns>(),
)

/** Rows that were changed after their append; the literal lets the partial index be used. */
const rewritten = statement<{ id: SessionId }>()((db, param) =>
  db
    .selectFrom("session_events")
    .selectAll()
    .where("session_id", "=", param("id"))
    .where("rewritten", "=", sql.lit(1))
    .orderBy("seq"),
)

/** Table `session_events` and the ledger's counters in `sessions`. */
export function createLedgerStore(queries: Queries): LedgerStore {
  const all = async (id: SessionId): Promise<readonly StoredEvent[]> =>
    (await queries.all(queries.bind(retained, { id }))).map(eventOf)

  const rewrittenEvents = async (id: SessionId): Promise<readonly StoredEvent[]> =>
    (await queries.all(queries.bind(rewritten, { id }))).map(eventOf)

  const place = async (id: SessionId, events: readonly LedgerEvent[], edited: boolean): Promise<number> => {
    const at = events.reduce((latest, event) => Math.max(latest, event.at), 0)
    // The update takes the row's lock; reading it afterwards is cheaper than RETURNING, which fills a table of its own.
    await queries.change(queries.bind(advance, { id, count: events.length, at, edited: bit(edited) }))
    const moved = await queries.first(queries.bind(position, { id }))
    if (moved === undefined) throw new Error("The Session of an event has no row.")
    return moved.events_observed
  }

  return {
    all,
    async append(sessionId, events, options) {
      const last = await place(sessionId, events, options.repositoryEdited)
      let seq = last - events.length
      for (const event of events) {
        seq += 1
        await queries.change(queries.bind(insert, { ...eventColumns(event), session_id: sessionId, seq }))
      }
      const upTo = last - options.retained
      if (upTo > 0) await queries.change(queries.bind(evict, { id: sessionId, upTo }))
      return { first_seq: last - events.length + 1, last_seq: last }
    },
    async newest(sessionId, limit, beforeSeq = Number.MAX_SAFE_INTEGER) {
      const rows = await queries.all(queries.bind(newest, { id: sessionId, before: beforeSeq, limit }))
      return rows.map(eventOf)
    },
    async finishedCalls(sessionId) {
      const intact = (await queries.all(queries.bind(calls, { id: sessionId }))).map(callOf)
      const judged = finishedCalls(await rewrittenEvents(sessionId))
      return judged.length === 0 ? intact : [...intact, ...judged].sort((one, other) => one.seq - other.seq)
    },
    async callGroups(sessionId) {
      const rows = await queries.all(queries.bind(groups, { id: sessionId }))
      const judged = finishedCalls(await rewrittenEvents(sessionId))
      return [
        ...rows.map((row) => ({ ...endOf(row), count: Number(row.count) })),
        ...judged.map((call) => ({ ...call, count: 1 })),
      ]
    },
    async unreadable(sessionId) {
      return (await rewrittenEvents(sessionId)).filter(({ kind }) => kind === "unreadable").length
    },
    async bounds(sessionId) {
      const row = await queries.first(queries.bind(bounds, { id: sessionId }))
      if (row === undefined) return { retained: 0 }
      return { retained: Number(row.retained), ...(row.first !== null && { first: row.first }) }
    },
  }
}
