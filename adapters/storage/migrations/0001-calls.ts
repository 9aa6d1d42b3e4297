import { oneOf, required, textKey } from "./columns.ts"
import type { MigrationContext } from "./migration.ts"

/** Tables `instances`, `open_calls` and `call_keys` (spec kernel.md §15, doors.md §2.5). */
export async function createCallTables({ schema, run, bytesType }: MigrationContext): Promise<void> {
  await run(
    schema
      .createTable("instances")
      .addColumn("instance", "text", textKey)
      .addColumn("host", "text", required)
      .addColumn("pid", "integer", required)
      .addColumn("pid_started_at", "text", required)
      .addColumn("started_at", "bigint", required)
      .addColumn("seen_at", "bigint", required),
  )
  await run(
    schema
      .createTable("open_calls")
      .addColumn("call_id", "text", textKey)
      .addColumn("invocation_id", "text", required)
      .addColumn("role", "text")
      .addColumn("session_id", "text")
      .addColumn("tool", "text", required)
      .addColumn("instance", "text", required)
      .addColumn("started_at", "bigint", required)
      .addColumn("started_seq", "integer")
      .addColumn("hint_json", "text")
      .addCheckConstraint("open_calls_role", oneOf("role", ["recorder", "business"])),
  )
  await run(schema.createIndex("open_calls_instance").on("open_calls").column("instance"))
  await run(
    schema
      .createTable("call_keys")
      .addColumn("key_hash", "text", textKey)
      .addColumn("tool", "text", required)
      .addColumn("input_hash", "text", required)
      .addColumn("call_id", "text", required)
      .addColumn("state", "text", required)
      .addColumn("result", bytesType)
      .addColumn("recovered_json", "text")
      .addColumn("deadline_at", "bigint", required)
      .addColumn("created_at", "bigint", required)
      .addColumn("expires_at", "bigint", required)
      .addCheckConstraint("call_keys_state", oneOf("state", ["started", "finished"])),
  )
  await run(schema.createIndex("call_keys_expires").on("call_keys").column("expires_at"))
  await run(schema.createIndex("call_keys_call").on("call_keys").column("call_id"))
}
