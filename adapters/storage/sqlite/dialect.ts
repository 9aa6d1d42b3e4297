import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely"
import type { StoreDialect } from "../dialect.ts"
import type { Schema } from "../schema.ts"

/** SQLite as the repositories see it. */
export function sqliteDialect(): StoreDialect {
  const builder = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return { name: "sqlite", builder, bytesType: "blob" }
}
