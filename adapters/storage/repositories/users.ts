import type { UserStore } from "../../../core/access/store.ts"
import type { Queries } from "../queries.ts"
import { userOf, userRow } from "../rows/user-row.ts"
import { statement } from "../statement.ts"

const byName = statement<{ name: string }>()((db, param) =>
  db.selectFrom("users").selectAll().where("name", "=", param("name")),
)

/** Table `users`. */
export function createUserStore(queries: Queries): UserStore {
  return {
    async byName(name) {
      const row = await queries.first(queries.bind(byName, { name }))
      return row && userOf(row)
    },
    async insert(user) {
      await queries.change(queries.builder.insertInto("users").values(userRow(user)).compile())
    },
    async disable(name, at) {
      const update = queries.builder.updateTable("users").set({ disabled_at: at })
      return (await queries.change(update.where("name", "=", name).where("disabled_at", "is", null).compile())) > 0
    },
    async list() {
      return (await queries.all(queries.builder.selectFrom("users").selectAll().orderBy("name").compile())).map(userOf)
    },
  }
}
