import type { CreateTableBuilder } from "kysely"
import { sql } from "kysely"
import { EXECUTION_STATES } from "./0001-words.ts"
import { isBit, oneOf, required, textKey } from "./columns.ts"
import type { MigrationContext } from "./migration.ts"

/** Table `jobs` (spec exec-and-jobs.md §5.1). */
export async function createJobTables({ schema, run }: MigrationContext): Promise<void> {
  const table = jobColumns(schema.createTable("jobs"))
  await run(
    table
      .addCheckConstraint("jobs_kind", oneOf("kind", ["process", "script", "shell", "job", "validator"]))
      .addCheckConstraint("jobs_target", oneOf("target", ["local", "ssh"])),
  )
  await createJobIndexes({ schema, run })
}

/** The columns of a Job's row as this version made them, with the checks that still hold. */
export function jobColumns<T extends string>(table: CreateTableBuilder<T>) {
  return table
    .addColumn("job_id", "text", textKey)
    .addColumn("kind", "text", required)
    .addColumn("tool", "text", required)
    .addColumn("owner_fingerprint", "text", required)
    .addColumn("principal_id", "text", required)
    .addColumn("project_pk", "text")
    .addColumn("session_id", "text")
    .addColumn("call_id", "text", required)
    .addColumn("invocation_id", "text", required)
    .addColumn("idempotency_key", "text")
    .addColumn("input_digest", "text")
    .addColumn("purpose", "text")
    .addColumn("target", "text", required)
    .addColumn("resource", "text")
    .addColumn("cwd", "text")
    .addColumn("status", "text", required)
    .addColumn("execution_state", "text", required)
    .addColumn("outcome_json", "text")
    .addColumn("late_outcome_json", "text")
    .addColumn("handed_over", "integer", required)
    .addColumn("timeout_ms", "bigint", required)
    .addColumn("host_id", "text")
    .addColumn("created_at", "bigint", required)
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint")
    .addColumn("stop_requested_at", "bigint")
    .addColumn("stop_cause", "text")
    .addColumn("recovered", "integer", required)
    .addColumn("output_gap", "integer", required)
    .addColumn("output_json", "text")
    .addColumn("output_state", "text", required)
    .addColumn("revision", "integer", required)
    .addCheckConstraint("jobs_status", oneOf("status", STATUSES))
    .addCheckConstraint("jobs_execution_state", oneOf("execution_state", EXECUTION_STATES))
    .addCheckConstraint("jobs_stop_cause", oneOf("stop_cause", STOP_CAUSES))
    .addCheckConstraint("jobs_output_state", oneOf("output_state", ["available", "evicted"]))
    .addCheckConstraint("jobs_handed_over", isBit("handed_over"))
    .addCheckConstraint("jobs_recovered", isBit("recovered"))
    .addCheckConstraint("jobs_output_gap", isBit("output_gap"))
}

/** The indexes of this version. */
export async function createJobIndexes({ schema, run }: Pick<MigrationContext, "schema" | "run">): Promise<void> {
  const index = (name: string) => schema.createIndex(name).on("jobs")
  await run(index("jobs_status").columns(["status", "created_at"]))
  await run(index("jobs_session").columns(["session_id", "created_at"]))
  await run(index("jobs_project").columns(["project_pk", "created_at"]))
  await run(index("jobs_host").columns(["host_id", "status"]))
  await run(index("jobs_ended").columns(["finished_at"]))
  await run(
    index("jobs_key")
      .unique()
      .columns(["owner_fingerprint", "tool"])
      .expression(sql`coalesce(project_pk, '')`)
      .column("idempotency_key")
      .where(sql.ref("idempotency_key"), "is not", null),
  )
}

const STATUSES = [
  "queued",
  "running",
  "stop_requested",
  "recovering",
  "completed",
  "failed",
  "timed_out",
  "stopped",
  "cancelled",
  "lost",
] as const

const STOP_CAUSES = [
  "stop_job",
  "caller",
  "session_closed",
  "project_closed",
  "chat_stopped",
  "shell_closed",
  "shutdown",
  "output_limit",
  "operator",
  "orphaned",
] as const
