import type { Selectable } from "kysely"
import type { CallKeyStore } from "../../../core/kernel/call-keys.ts"
import type { Queries } from "../queries.ts"
import { callKeyOf, callKeyRow } from "../rows/call-key-row.ts"
import type { CallKeysTable } from "../schema.ts"
import { statement } from "../statement.ts"

const byHash = statement<{ hash: string }>()((db, param) =>
  db.selectFrom("call_keys").selectAll().where("key_hash", "=", param("hash")),
)

const insert = statement<Selectable<CallKeysTable>>()((db, param) =>
  db.insertInto("call_keys").values({
    key_hash: param("key_hash"),
    tool: param("tool"),
    input_hash: param("input_hash"),
    call_id: param("call_id"),
    state: param("state"),
    result: param("result"),
    recovered_json: param("recovered_json"),
    deadline_at: param("deadline_at"),
    created_at: param("created_at"),
    expires_at: param("expires_at"),
  }),
)

const finish = statement<{ hash: string; result: Uint8Array | null }>()((db, param) =>
  db
    .updateTable("call_keys")
    .set({ state: "finished", result: param("result") })
    .where("key_hash", "=", param("hash")),
)

/** Table `call_keys`. */
export function createCallKeyStore(queries: Queries): CallKeyStore {
  const { builder } = queries
  return {
    async byHash(keyHash) {
      const row = await queries.first(queries.bind(byHash, { hash: keyHash }))
      return row && callKeyOf(row)
    },
    async insert(row) {
      await queries.change(queries.bind(insert, callKeyRow(row)))
    },
    async finish(keyHash, result) {
      await queries.change(queries.bind(finish, { hash: keyHash, result: result ?? null }))
    },
    async recover(callId, recovered) {
      const update = builder.updateTable("call_keys").set({ recovered_json: recovered })
      await queries.change(update.where("call_id", "=", callId).compile())
    },
    prune(now, limit) {
      const expired = builder.selectFrom("call_keys").select("key_hash").where("expires_at", "<=", now)
      const oldest = expired.orderBy("expires_at").limit(limit)
      return queries.change(builder.deleteFrom("call_keys").where("key_hash", "in", oldest).compile())
    },
  }
}
