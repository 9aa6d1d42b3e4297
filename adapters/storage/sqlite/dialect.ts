import type { RawBuilder } from "kysely"
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely"
import type { StoreDialect } from "../dialect.ts"
import type { Schema } from "../schema.ts"

/**
 * Values stand behind a `+`, which changes no value. Without it SQLite compiles an ordered or partially indexed query anew
 * whenever the value that it compares with changes, since its plan may depend on it; that costs more than the query.
 */
class StableQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return "+?"
  }
}

/** SQLite as the repositories see it. */
export function sqliteDialect(): StoreDialect {
  const builder = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new StableQueryCompiler(),
    },
  })
  return { name: "sqlite", builder, bytesType: "blob", markRewrites, keyedTable: sql`without rowid` }
}

/** A trigger; it leaves its own change alone, so that it ends whatever the connection says about recursion. */
function markRewrites(table: string, column: string): readonly RawBuilder<unknown>[] {
  const [on, mark] = [sql.table(table), sql.ref(column)]
  return [
    sql`create trigger ${sql.ref(`${table}_${column}`)} after update on ${on} when new.${mark} = 0 begin
      update ${on} set ${mark} = 1 where rowid = new.rowid; end`,
  ]
}
