import type { DatabaseConnection } from "kysely"
import { sql } from "kysely"
import type { StoreDialect } from "./dialect.ts"
import type { Migration, MigrationContext } from "./migrations/migration.ts"
import { StoreOpenError } from "./store-open-error.ts"

/** Reads a value of `meta`; `undefined` when it is not there. */
export async function readMeta(
  dialect: StoreDialect,
  connection: DatabaseConnection,
  key: string,
): Promise<string | undefined> {
  const query = dialect.builder.selectFrom("meta").select("value").where("key", "=", key).compile()
  const { rows } = await connection.executeQuery<{ value: string }>(query)
  return rows[0]?.value
}

/** Refuses a database that a newer Holdfast made (spec kernel.md §15). */
function refuseNewer(found: number, known: number): void {
  if (found <= known) return
  throw new StoreOpenError(
    "schema_newer",
    `The database has schema version ${found}, this Holdfast knows ${known}. Update Holdfast or use another data directory.`,
  )
}

/** What a migration run starts from: whether there is a schema yet, and the steps this program knows. */
export interface MigrationPlan {
  readonly hasMeta: boolean
  readonly migrations: readonly Migration[]
}

/**
 * Brings the schema up to date inside the caller's exclusive transaction and returns its version; throws
 * `StoreOpenError` `schema_newer` before anything is written (design §6).
 */
export async function migrate(
  dialect: StoreDialect,
  connection: DatabaseConnection,
  plan: MigrationPlan,
): Promise<number> {
  const known = plan.migrations.at(-1)?.version ?? 0
  const found = plan.hasMeta ? Number(await readMeta(dialect, connection, "schema_version")) : 0
  refuseNewer(found, known)
  const { builder, bytesType, markRewrites, keyedTable } = dialect
  const context: MigrationContext = {
    schema: builder.schema,
    bytesType,
    markRewrites,
    keyedTable,
    run: async (statement) => {
      await connection.executeQuery(statement.compile(builder))
    },
  }
  const due = plan.migrations.filter((migration) => migration.version > found)
  for (const migration of due) await migration.up(context)
  if (due.length > 0) {
    await context.run(sql`delete from meta where ${sql.ref("key")} = 'schema_version'`)
    await context.run(sql`insert into meta (${sql.ref("key")}, value) values ('schema_version', ${String(known)})`)
  }
  return known
}
