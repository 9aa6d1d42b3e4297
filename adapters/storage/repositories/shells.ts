import type { SessionId, ShellUid } from "../../../core/kernel/ids.ts"
import { ENDED_SHELL_STATES, LIVE_SHELL_STATES } from "../../../core/shells/record.ts"
import type { LiveShellFilter, ShellStore } from "../../../core/shells/store.ts"
import type { Queries } from "../queries.ts"
import { changedColumns } from "../rows/changed-columns.ts"
import { shellOf, shellRow } from "../rows/shell-row.ts"
import { statement } from "../statement.ts"

const byUid = statement<{ uid: ShellUid }>()((db, param) =>
  db.selectFrom("shells").selectAll().where("shell_uid", "=", param("uid")),
)

const byId = statement<{ id: string }>()((db, param) =>
  db.selectFrom("shells").selectAll().where("shell_id", "=", param("id")),
)

const ofSession = statement<{ session: SessionId }>()((db, param) =>
  db
    .selectFrom("shells")
    .selectAll()
    .where("session_id", "=", param("session"))
    .orderBy((of) => of.case().when("state", "in", LIVE_SHELL_STATES).then(0).else(1).end())
    .orderBy("created_at", "desc")
    .orderBy("shell_uid")
    .limit(1),
)

function live(queries: Queries, filter: LiveShellFilter) {
  const { family, ownerPrincipal, sessionId, projectPk, hostId } = filter
  let select = queries.builder.selectFrom("shells").where("state", "in", LIVE_SHELL_STATES)
  if (family !== undefined) select = select.where("family", "=", family)
  if (ownerPrincipal !== undefined) select = select.where("owner_principal", "=", ownerPrincipal)
  if (sessionId !== undefined) select = select.where("session_id", "=", sessionId)
  if (projectPk !== undefined) select = select.where("project_pk", "=", projectPk)
  if (hostId !== undefined) select = select.where("host_id", "=", hostId)
  return select
}

/** Table `shells`. */
export function createShellStore(queries: Queries): ShellStore {
  const { builder } = queries
  return {
    async byUid(uid) {
      const row = await queries.first(queries.bind(byUid, { uid }))
      return row && shellOf(row)
    },
    async byId(id) {
      const row = await queries.first(queries.bind(byId, { id }))
      return row && shellOf(row)
    },
    async insert(shell) {
      await queries.change(builder.insertInto("shells").values(shellRow(shell)).compile())
    },
    async update(shell, before) {
      const changed = changedColumns(shellRow(before), shellRow({ ...shell, revision: before.revision + 1 }))
      const update = builder.updateTable("shells").set(changed).where("shell_uid", "=", before.shellUid)
      const guarded = update.where("state", "in", LIVE_SHELL_STATES).where("revision", "=", before.revision)
      return (await queries.change(guarded.compile())) > 0
    },
    async live(filter) {
      const select = live(queries, filter).selectAll().orderBy("created_at").orderBy("shell_uid")
      return (await queries.all(select.compile())).map(shellOf)
    },
    async countLive(family) {
      const count = live(queries, { family }).select((of) => of.fn.countAll<number>().as("total"))
      return Number((await queries.first(count.compile()))?.total ?? 0)
    },
    async ofSession(session) {
      const row = await queries.first(queries.bind(ofSession, { session }))
      return row && shellOf(row)
    },
    async hasRun(run) {
      const select = builder.selectFrom("shells").select("shell_uid").where("shell_id", "like", `${run}-%`).limit(1)
      return (await queries.first(select.compile())) !== undefined
    },
    async expired({ endedBefore, limit }) {
      const ended = builder.selectFrom("shells").select("shell_uid").where("state", "in", ENDED_SHELL_STATES)
      const over = ended.where("closed_at", "<", endedBefore).orderBy("closed_at").limit(limit)
      return (await queries.all(over.compile())).map(({ shell_uid }) => shell_uid)
    },
    async remove(uids) {
      if (uids.length === 0) return
      await queries.change(builder.deleteFrom("shells").where("shell_uid", "in", uids).compile())
    },
  }
}
