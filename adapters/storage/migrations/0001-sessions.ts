import { sql } from "kysely"
import { EXECUTION_STATES } from "./0001-words.ts"
import { isBit, oneOf, required, textKey } from "./columns.ts"
import type { MigrationContext } from "./migration.ts"

/** Tables `sessions`, `session_events`, `expired_sessions`, `coding_sessions` (spec sessions.md §3.4, §8; workflow.md §12). */
export async function createSessionTables(context: MigrationContext): Promise<void> {
  await createSessions(context)
  await createEvents(context)
  const { schema, run } = context
  await run(
    schema
      .createTable("expired_sessions")
      .addColumn("session_id", "text", textKey)
      .addColumn("owner_authority_fingerprint", "text", required)
      .addColumn("project_pk", "text")
      .addColumn("lifecycle", "text", required)
      .addColumn("expired_at", "bigint", required)
      .addCheckConstraint("expired_sessions_lifecycle", oneOf("lifecycle", ["active", "closed"])),
  )
  await run(
    schema
      .createTable("coding_sessions")
      .addColumn("session_id", "text", (column) =>
        column.primaryKey().notNull().references("sessions.session_id").onDelete("cascade"),
      )
      .addColumn("root_instruction", "text", required)
      .addColumn("root_redacted", "integer", required)
      .addColumn("baseline_tree", "text")
      .addCheckConstraint("coding_sessions_root_redacted", isBit("root_redacted")),
  )
}

async function createSessions({ schema, run }: MigrationContext): Promise<void> {
  await run(
    schema
      .createTable("sessions")
      .addColumn("session_id", "text", textKey)
      .addColumn("project_pk", "text")
      .addColumn("title", "text")
      .addColumn("owner_authority_fingerprint", "text", required)
      .addColumn("lifecycle", "text", required)
      .addColumn("mode", "text", required)
      .addColumn("deny_write_tools", "integer", required)
      .addColumn("deny_shell_tools", "integer", required)
      .addColumn("default_cwd", "text")
      .addColumn("default_shell", "text")
      .addColumn("resource", "text")
      .addColumn("created_at", "bigint", required)
      .addColumn("updated_at", "bigint", required)
      .addColumn("closed_at", "bigint")
      .addColumn("events_observed", "integer", required)
      .addColumn("repository_edited", "integer", required)
      .addCheckConstraint("sessions_lifecycle", oneOf("lifecycle", ["active", "closed"]))
      .addCheckConstraint("sessions_mode", oneOf("mode", ["normal", "read_only"]))
      .addCheckConstraint("sessions_default_shell", oneOf("default_shell", ["sh", "bash"]))
      .addCheckConstraint("sessions_deny_write_tools", isBit("deny_write_tools"))
      .addCheckConstraint("sessions_deny_shell_tools", isBit("deny_shell_tools"))
      .addCheckConstraint("sessions_repository_edited", isBit("repository_edited"))
      .addCheckConstraint("sessions_events_observed", sql`events_observed >= 0`)
      .addCheckConstraint(
        "sessions_context_has_project",
        sql`project_pk is not null or (default_cwd is null and default_shell is null and resource is null)`,
      ),
  )
  const index = (name: string) => schema.createIndex(name).on("sessions")
  await run(
    index("sessions_owner").columns(["owner_authority_fingerprint", "lifecycle", "updated_at desc", "session_id"]),
  )
  await run(index("sessions_project").columns(["project_pk", "updated_at desc"]))
  await run(index("sessions_lifecycle").columns(["lifecycle", "updated_at"]))
}

async function createEvents({ schema, run }: MigrationContext): Promise<void> {
  await run(
    schema
      .createTable("session_events")
      .addColumn("session_id", "text", (column) =>
        column.notNull().references("sessions.session_id").onDelete("cascade"),
      )
      .addColumn("seq", "integer", required)
      .addColumn("event_id", "text", required)
      .addColumn("kind", "text", required)
      .addColumn("at", "bigint", required)
      .addColumn("door", "text", required)
      .addColumn("call_id", "text")
      .addColumn("invocation_id", "text")
      .addColumn("role", "text")
      .addColumn("tool_name", "text")
      .addColumn("status", "text")
      .addColumn("error_kind", "text")
      .addColumn("execution_state", "text")
      .addColumn("effect", "text")
      .addColumn("activity", "text")
      .addColumn("job_id", "text")
      .addColumn("has_validation", "integer", required)
      .addColumn("payload", "text", required)
      .addPrimaryKeyConstraint("session_events_pk", ["session_id", "seq"])
      .addCheckConstraint("session_events_kind", oneOf("kind", EVENT_KINDS))
      .addCheckConstraint("session_events_door", oneOf("door", ["http", "mcp", "stdio", "embedded", "system"]))
      .addCheckConstraint("session_events_role", oneOf("role", ["recorder", "business"]))
      .addCheckConstraint("session_events_status", oneOf("status", ["succeeded", "failed"]))
      .addCheckConstraint("session_events_execution_state", oneOf("execution_state", EXECUTION_STATES))
      .addCheckConstraint("session_events_effect", oneOf("effect", ["observe", "mutate", "execute"]))
      .addCheckConstraint("session_events_activity", oneOf("activity", ACTIVITIES))
      .addCheckConstraint("session_events_has_validation", isBit("has_validation")),
  )
  const index = (name: string) => schema.createIndex(name).on("session_events").columns(["session_id", "seq"])
  await run(index("session_events_instructions").where(sql.ref("kind"), "=", sql.lit("task_instruction")))
  await run(index("session_events_validations").where(sql.ref("has_validation"), "=", sql.lit(1)))
}

const EVENT_KINDS = [
  "session_started",
  "task_instruction",
  "session_execution_context_updated",
  "session_closed",
  "tool_call_started",
  "tool_call_finished",
  "job_finished",
  "validation_job_terminal",
] as const

const ACTIVITIES = ["explore", "enumerate", "review", "edit", "vcs", "execute", "validate", "session", "other"] as const
