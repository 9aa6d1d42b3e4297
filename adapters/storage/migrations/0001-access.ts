import { sql } from "kysely"
import { isBit, oneOf, required, textKey } from "./columns.ts"
import type { MigrationContext } from "./migration.ts"

/** Tables `users`, `credentials` and `projects` (spec kernel.md §2.2, §9, §15). */
export async function createAccessTables({ schema, run }: MigrationContext): Promise<void> {
  await run(
    schema
      .createTable("users")
      .addColumn("name", "text", textKey)
      .addColumn("projects_json", "text", required)
      .addColumn("scopes_json", "text", required)
      .addColumn("created_at", "bigint", required)
      .addColumn("disabled_at", "bigint"),
  )
  await run(
    schema
      .createTable("credentials")
      .addColumn("id", "text", textKey)
      .addColumn("kind", "text", required)
      .addColumn("principal_id", "text", required)
      .addColumn("secret_hash", "text", (column) => column.notNull().unique())
      .addColumn("hint", "text", required)
      .addColumn("name", "text", required)
      .addColumn("scopes_json", "text", required)
      .addColumn("projects_json", "text")
      .addColumn("mode", "text")
      .addColumn("oauth_client_id", "text")
      .addColumn("created_at", "bigint", required)
      .addColumn("expires_at", "bigint")
      .addColumn("last_used_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .addColumn("revoked_reason", "text")
      .addCheckConstraint(
        "credentials_kind",
        oneOf("kind", ["local_token", "user_token", "project_grant", "oauth", "chat_session"]),
      )
      .addCheckConstraint("credentials_mode", oneOf("mode", ["trusted_agent", "restricted"])),
  )
  await run(schema.createIndex("credentials_principal").on("credentials").columns(["principal_id", "created_at"]))
  await createProjects({ schema, run })
}

async function createProjects({ schema, run }: Pick<MigrationContext, "schema" | "run">): Promise<void> {
  await run(
    schema
      .createTable("projects")
      .addColumn("pk", "text", textKey)
      .addColumn("slug", "text", required)
      .addColumn("client_id", "text", required)
      .addColumn("root", "text", required)
      .addColumn("title", "text")
      .addColumn("description", "text")
      .addColumn("kind", "text", required)
      .addColumn("file_policy_json", "text")
      .addColumn("git_above_root", "integer", required)
      .addColumn("revision", "integer", required)
      .addColumn("created_at", "bigint", required)
      .addColumn("updated_at", "bigint", required)
      .addColumn("unregistered_at", "bigint")
      .addCheckConstraint("projects_kind", oneOf("kind", ["registered", "managed_worktree"]))
      .addCheckConstraint("projects_git_above_root", isBit("git_above_root")),
  )
  const live = (name: string) =>
    schema.createIndex(name).unique().on("projects").where(sql.ref("unregistered_at"), "is", null)
  await run(live("projects_live_slug").column("slug"))
  await run(live("projects_live_root").columns(["client_id", "root"]))
  await run(schema.createIndex("projects_slug").on("projects").columns(["slug", "unregistered_at"]))
}
