import { sql } from "kysely"
import { oneOf, required, textKey } from "./columns.ts"
import type { Migration } from "./migration.ts"

/**
 * Every recorded call puts a row into `open_calls` and takes it out again, so the table is one tree by its key, without further
 * indexes: only recovery looks for an instance's rows, and a table of calls in flight is read whole in no time.
 */
export const openCallsByKey: Migration = {
  version: 7,
  async up({ schema, run, keyedTable }) {
    const table = schema
      .createTable("open_calls_by_key")
      .addColumn("call_id", "text", textKey)
      .addColumn("invocation_id", "text", required)
      .addColumn("role", "text")
      .addColumn("session_id", "text")
      .addColumn("tool", "text", required)
      .addColumn("instance", "text", required)
      .addColumn("started_at", "bigint", required)
      .addColumn("started_seq", "integer")
      .addColumn("hint_json", "text")
      .addCheckConstraint("open_calls_role", oneOf("role", ["recorder", "business"]))
    await run(keyedTable === undefined ? table : table.modifyEnd(keyedTable))
    await run(sql`insert into open_calls_by_key
      select call_id, invocation_id, role, session_id, tool, instance, started_at, started_seq, hint_json from open_calls`)
    await run(schema.dropTable("open_calls"))
    await run(schema.alterTable("open_calls_by_key").renameTo("open_calls"))
  },
}
