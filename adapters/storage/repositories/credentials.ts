import type { CredentialStore } from "../../../core/access/store.ts"
import type { CredentialId } from "../../../core/kernel/ids.ts"
import type { Queries } from "../queries.ts"
import { credentialOf, credentialRow } from "../rows/credential-row.ts"
import { statement } from "../statement.ts"

const byHash = statement<{ hash: string }>()((db, param) =>
  db.selectFrom("credentials").selectAll().where("secret_hash", "=", param("hash")),
)
const byId = statement<{ id: CredentialId }>()((db, param) =>
  db.selectFrom("credentials").selectAll().where("id", "=", param("id")),
)

/** Table `credentials`. */
export function createCredentialStore(queries: Queries): CredentialStore {
  const { builder } = queries
  return {
    async byHash(secretHash) {
      const row = await queries.first(queries.bind(byHash, { hash: secretHash }))
      return row && credentialOf(row)
    },
    async byId(id) {
      const row = await queries.first(queries.bind(byId, { id }))
      return row && credentialOf(row)
    },
    async insert(credential) {
      await queries.change(builder.insertInto("credentials").values(credentialRow(credential)).compile())
    },
    async list({ principalId, kind }) {
      let select = builder.selectFrom("credentials").selectAll().orderBy("created_at", "desc").orderBy("id")
      if (principalId !== undefined) select = select.where("principal_id", "=", principalId)
      if (kind !== undefined) select = select.where("kind", "=", kind)
      return (await queries.all(select.compile())).map(credentialOf)
    },
    async revoke(id, at, reason) {
      const update = builder.updateTable("credentials").set({ revoked_at: at, revoked_reason: reason ?? null })
      return (await queries.change(update.where("id", "=", id).where("revoked_at", "is", null).compile())) > 0
    },
    async touch(id, at) {
      const update = builder.updateTable("credentials").set({ last_used_at: at }).where("id", "=", id)
      await queries.change(
        update
          .where((where) => where.or([where("last_used_at", "is", null), where("last_used_at", "<", at)]))
          .compile(),
      )
    },
    prune(before) {
      const remove = builder.deleteFrom("credentials")
      return queries.change(
        remove
          .where((where) => where.or([where("revoked_at", "<", before), where("expires_at", "<", before)]))
          .compile(),
      )
    },
  }
}
