import { randomBytes } from "node:crypto"
import { sql } from "kysely"
import { createAccessTables } from "./0001-access.ts"
import { createCallTables } from "./0001-calls.ts"
import { createJobTables } from "./0001-jobs.ts"
import { createSessionTables } from "./0001-sessions.ts"
import type { Migration, MigrationContext } from "./migration.ts"

async function createMeta({ schema, run }: MigrationContext): Promise<void> {
  await run(
    schema
      .createTable("meta")
      .addColumn("key", "text", (column) => column.primaryKey().notNull())
      .addColumn("value", "text", (column) => column.notNull()),
  )
  const key = randomBytes(32).toString("hex")
  await run(sql`insert into meta (key, value) values ('instance_key', ${key})`)
}

/** The tables of the foundation: callers, Projects, Sessions and their ledger, calls, Jobs, and the installation's key. */
export const foundation: Migration = {
  version: 1,
  async up(context) {
    await createMeta(context)
    await createAccessTables(context)
    await createSessionTables(context)
    await createCallTables(context)
    await createJobTables(context)
  },
}
