import { sql } from "kysely"
import { rebuildJobs } from "./0004-jobs.ts"
import { oneOf, required, textKey } from "./columns.ts"
import type { Migration, MigrationContext } from "./migration.ts"

const LIVE = ["opening", "running", "recovering"] as const
const STATES = [...LIVE, "poisoned", "lost", "closed"] as const

async function createShells({ schema, run }: MigrationContext): Promise<void> {
  await run(
    schema
      .createTable("shells")
      .addColumn("shell_uid", "text", textKey)
      .addColumn("shell_id", "text", required)
      .addColumn("family", "text", required)
      .addColumn("owner_principal", "text", required)
      .addColumn("owner_fingerprint", "text", required)
      .addColumn("session_id", "text")
      .addColumn("project_pk", "text")
      .addColumn("target_json", "text", required)
      .addColumn("dialect", "text", required)
      .addColumn("initial_cwd", "text", required)
      .addColumn("on_exit", "text", required)
      .addColumn("idle_ttl_ms", "bigint", required)
      .addColumn("output_budget_json", "text")
      .addColumn("fence_json", "text")
      .addColumn("generation", "integer", required)
      .addColumn("state", "text", required)
      .addColumn("reason", "text")
      .addColumn("host_id", "text")
      .addColumn("guard_fingerprint", "text")
      .addColumn("policy_fingerprint", "text")
      .addColumn("open_digest", "text")
      .addColumn("created_at", "bigint", required)
      .addColumn("last_used_at", "bigint", required)
      .addColumn("closed_at", "bigint")
      .addColumn("last_cwd", "text")
      .addColumn("revision", "integer", required)
      .addCheckConstraint("shells_family", oneOf("family", ["free", "bound"]))
      .addCheckConstraint("shells_dialect", oneOf("dialect", ["bash", "sh"]))
      .addCheckConstraint("shells_on_exit", oneOf("on_exit", ["restore", "close"]))
      .addCheckConstraint("shells_state", oneOf("state", STATES))
      .addCheckConstraint(
        "shells_bound",
        sql`(family = 'bound') = (session_id is not null and project_pk is not null)`,
      ),
  )
  const index = (name: string) => schema.createIndex(name).on("shells")
  await run(index("shells_id").unique().column("shell_id"))
  await run(
    index("shells_live_session")
      .unique()
      .column("session_id")
      .where(sql.ref("session_id"), "is not", null)
      .where(oneOf("state", LIVE)),
  )
  await run(index("shells_owner").columns(["owner_principal", "state"]))
  await run(index("shells_session").columns(["session_id", "created_at"]))
  await run(index("shells_host").columns(["host_id", "state"]))
  await run(index("shells_ended").columns(["closed_at"]))
}

/** One row for ever: who inserts it holds the data directory's Runner host. */
async function createRunnerHosts({ schema, run }: MigrationContext): Promise<void> {
  await run(
    schema
      .createTable("runner_hosts")
      .addColumn("singleton", "integer", (column) => column.primaryKey().notNull())
      .addColumn("host_id", "text", required)
      .addColumn("pid", "integer", required)
      .addColumn("pid_started_at", "text", required)
      .addColumn("boot_id", "text", required)
      .addColumn("runtime", "text", required)
      .addColumn("socket", "text", required)
      .addColumn("protocol", "integer", required)
      .addColumn("version", "text", required)
      .addColumn("started_at", "bigint", required)
      .addCheckConstraint("runner_hosts_singleton", sql`singleton = 1`),
  )
}

/** Live shells, their host, and Jobs that are their commands (spec shells.md §15). */
export const liveShells: Migration = {
  version: 4,
  async up(context) {
    await createShells(context)
    await createRunnerHosts(context)
    await rebuildJobs(context)
  },
}
