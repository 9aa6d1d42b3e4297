import type { Selectable } from "kysely"
import type { CallId } from "../../../core/kernel/ids.ts"
import { callIdSchema } from "../../../core/kernel/ids.ts"
import type { OpenCallStore } from "../../../core/ledger/store.ts"
import type { Queries } from "../queries.ts"
import { openCallOf, openCallRow } from "../rows/open-call-row.ts"
import type { OpenCallsTable } from "../schema.ts"
import { statement } from "../statement.ts"

const insert = statement<Selectable<OpenCallsTable>>()((db, param) =>
  db.insertInto("open_calls").values({
    call_id: param("call_id"),
    invocation_id: param("invocation_id"),
    role: param("role"),
    session_id: param("session_id"),
    tool: param("tool"),
    instance: param("instance"),
    started_at: param("started_at"),
    started_seq: param("started_seq"),
    hint_json: param("hint_json"),
  }),
)

const take = statement<{ id: CallId }>()((db, param) => db.deleteFrom("open_calls").where("call_id", "=", param("id")))

const setHint = statement<{ id: CallId; hint: string }>()((db, param) =>
  db
    .updateTable("open_calls")
    .set({ hint_json: param("hint") })
    .where("call_id", "=", param("id")),
)

/** Table `open_calls`. */
export function createOpenCallStore(queries: Queries): OpenCallStore {
  const { builder } = queries
  const select = () => builder.selectFrom("open_calls").selectAll().orderBy("started_at").orderBy("call_id")
  return {
    async insert(rows) {
      for (const row of rows) await queries.change(queries.bind(insert, openCallRow(row)))
    },
    async take(callIds) {
      const taken: CallId[] = []
      for (const id of callIds) {
        if ((await queries.change(queries.bind(take, { id }))) > 0) taken.push(id)
      }
      return taken
    },
    async setHint(callId, hint) {
      await queries.change(queries.bind(setHint, { id: callId, hint: JSON.stringify(hint) }))
    },
    async ofSession(sessionId) {
      return (await queries.all(select().where("session_id", "=", sessionId).compile())).map(openCallOf)
    },
    async ofInstances(instances) {
      if (instances.length === 0) return []
      return (await queries.all(select().where("instance", "in", instances).compile())).map(openCallOf)
    },
    async exists(callId) {
      const id = callIdSchema.safeParse(callId)
      if (!id.success) return false
      const any = builder.selectFrom("open_calls").select("tool").where("call_id", "=", id.data)
      return (await queries.first(any.compile())) !== undefined
    },
  }
}
