import type { SessionId } from "../../../core/kernel/ids.ts"
import type { SessionStore } from "../../../core/sessions/store.ts"
import type { Queries } from "../queries.ts"
import { sessionChange, sessionOf, sessionRow } from "../rows/session-row.ts"
import { statement } from "../statement.ts"
import { expirable, expire } from "./session-expiry.ts"
import { sessionCount, sessionPage } from "./session-list.ts"

const byId = statement<{ id: SessionId }>()((db, param) =>
  db.selectFrom("sessions").selectAll().where("session_id", "=", param("id")),
)

/** Tables `sessions` and `expired_sessions`. */
export function createSessionStore(queries: Queries): SessionStore {
  const { builder } = queries
  const activeCount = () =>
    builder
      .selectFrom("sessions")
      .where("lifecycle", "=", "active")
      .select((of) => of.fn.countAll<number>().as("total"))
  return {
    async byId(id) {
      const row = await queries.first(queries.bind(byId, { id }))
      return row && sessionOf(row)
    },
    async tombstone(id) {
      const row = await queries.first(
        builder.selectFrom("expired_sessions").selectAll().where("session_id", "=", id).compile(),
      )
      return (
        row && {
          sessionId: row.session_id,
          ownerFingerprint: row.owner_authority_fingerprint,
          expiredAt: row.expired_at,
          ...(row.project_pk !== null && { projectPk: row.project_pk }),
        }
      )
    },
    async insert(session) {
      await queries.change(builder.insertInto("sessions").values(sessionRow(session)).compile())
    },
    async update(session) {
      const update = builder.updateTable("sessions").set(sessionChange(session))
      const changed = await queries.change(update.where("session_id", "=", session.sessionId).compile())
      if (changed === 0) throw new Error("The Session to be updated has no row.")
    },
    async countActive(ownerFingerprint, projects) {
      const ofGroup = activeCount().where("owner_authority_fingerprint", "=", ownerFingerprint)
      const counted =
        projects === undefined
          ? ofGroup
          : ofGroup.where((is) => is.or([is("project_pk", "is", null), is("project_pk", "in", projects)]))
      return Number((await queries.first(counted.compile()))?.total ?? 0)
    },
    async countAllActive() {
      return Number((await queries.first(activeCount().compile()))?.total ?? 0)
    },
    async recentOf(ownerFingerprint, projectPk, limit) {
      const own = builder.selectFrom("sessions").selectAll().where("owner_authority_fingerprint", "=", ownerFingerprint)
      const here =
        projectPk === undefined ? own.where("project_pk", "is", null) : own.where("project_pk", "=", projectPk)
      const newest = here.orderBy("updated_at", "desc").orderBy("session_id").limit(limit)
      const rows = (await queries.all(newest.compile())).map(sessionOf)
      return rows.flatMap((row) => (row.readable ? [row.session] : []))
    },
    page: (filter) => sessionPage(queries, filter),
    count: (filter) => sessionCount(queries, filter),
    expirable: (bounds, limit) => expirable(queries, bounds, limit),
    expire: (sessionId, bounds) => expire(queries, sessionId, bounds),
  }
}
