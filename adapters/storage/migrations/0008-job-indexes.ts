import type { Migration, MigrationContext } from "./migration.ts"

type Column = "project_pk" | "session_id" | "shell_uid" | "finished_at"

/** Columns of each index, and the column that decides which rows it holds. */
const INDEXES: readonly (readonly [name: string, columns: readonly string[], of: Column, held: "is" | "is not"])[] = [
  ["jobs_status", ["status", "created_at"], "finished_at", "is"],
  ["jobs_host", ["host_id", "status"], "finished_at", "is"],
  ["jobs_ended", ["finished_at"], "finished_at", "is not"],
  ["jobs_project", ["project_pk", "created_at"], "project_pk", "is not"],
  ["jobs_project_list", ["project_pk", "handed_over", "created_at", "job_id"], "project_pk", "is not"],
  ["jobs_session", ["session_id", "created_at"], "session_id", "is not"],
  ["jobs_session_list", ["session_id", "handed_over", "created_at", "job_id"], "session_id", "is not"],
  ["jobs_shell", ["shell_uid", "created_at"], "shell_uid", "is not"],
]

/**
 * Each index holds the rows that are looked for through it: a Job without Project, Session or shell is in none of theirs, and
 * those of live Jobs stay small whatever has ended. Every start and end of a command writes all indexes that hold its row.
 */
export const jobIndexes: Migration = {
  version: 8,
  async up({ schema, run }: MigrationContext) {
    for (const [name, columns, of, held] of INDEXES) {
      await run(schema.dropIndex(name))
      await run(
        schema
          .createIndex(name)
          .on("jobs")
          .columns([...columns])
          .where(of, held, null),
      )
    }
  },
}
