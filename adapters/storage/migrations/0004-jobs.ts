import { sql } from "kysely"
import { createJobIndexes, jobColumns } from "./0001-jobs.ts"
import { oneOf } from "./columns.ts"
import type { MigrationContext } from "./migration.ts"

/** What a Job had before; copied one to one. */
const KEPT = [
  "job_id",
  "kind",
  "tool",
  "owner_fingerprint",
  "principal_id",
  "project_pk",
  "session_id",
  "call_id",
  "invocation_id",
  "idempotency_key",
  "input_digest",
  "purpose",
  "target",
  "resource",
  "cwd",
  "status",
  "execution_state",
  "outcome_json",
  "late_outcome_json",
  "handed_over",
  "timeout_ms",
  "host_id",
  "created_at",
  "started_at",
  "finished_at",
  "stop_requested_at",
  "stop_cause",
  "recovered",
  "output_gap",
  "output_json",
  "output_state",
  "revision",
] as const

const KINDS = ["process", "script", "shell", "job", "detached", "shell_command", "validator"] as const

/** Table `jobs` again with wider checks, which not every dialect can change in place, and the shell a Job ran in. */
export async function rebuildJobs({ schema, run }: MigrationContext): Promise<void> {
  await run(
    jobColumns(schema.createTable("jobs_next"))
      .addColumn("shell_uid", "text")
      .addCheckConstraint("jobs_kind", oneOf("kind", KINDS))
      .addCheckConstraint("jobs_target", oneOf("target", ["local", "ssh", "docker"]))
      .addCheckConstraint("jobs_shell", sql`(kind = 'shell_command') = (shell_uid is not null)`),
  )
  const columns = sql.join(KEPT.map((name) => sql.ref(name)))
  await run(sql`insert into jobs_next (${columns}) select ${columns} from jobs`)
  await run(schema.dropTable("jobs"))
  await run(schema.alterTable("jobs_next").renameTo("jobs"))
  await createJobIndexes({ schema, run })
  await run(schema.createIndex("jobs_shell").on("jobs").columns(["shell_uid", "created_at"]))
  await run(schema.createIndex("jobs_owner").on("jobs").columns(["owner_fingerprint", "created_at"]))
}
