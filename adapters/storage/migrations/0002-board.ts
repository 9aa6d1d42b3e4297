import { sql } from "kysely"
import { isBit, oneOf, required } from "./columns.ts"
import type { Migration, MigrationContext } from "./migration.ts"

/** The counters of a board live in its Session's row (spec messages.md §9). */
async function addCounters({ schema, run }: MigrationContext): Promise<void> {
  const counters = ["message_observation_revision", "message_observation_floor", "message_last_pos"]
  for (const name of counters) {
    await run(schema.alterTable("sessions").addColumn(name, "integer", (column) => column.notNull().defaultTo(0)))
  }
}

async function createMessages({ schema, run }: MigrationContext): Promise<void> {
  await run(
    schema
      .createTable("session_messages")
      .addColumn("session_id", "text", (column) =>
        column.notNull().references("sessions.session_id").onDelete("cascade"),
      )
      .addColumn("pos", "integer", required)
      .addColumn("message_id", "text", required)
      .addColumn("revision", "integer", required)
      .addColumn("created_at", "bigint", required)
      .addColumn("kind", "text", required)
      .addColumn("status", "text", required)
      .addColumn("priority", "text", required)
      .addColumn("message", "text", required)
      .addColumn("tags_json", "text")
      .addColumn("reply_to", "text")
      .addColumn("requires_ack", "integer", required)
      .addColumn("first_ack_observed_at", "bigint")
      .addColumn("author_session_id", "text")
      .addColumn("resolved_at", "bigint")
      .addColumn("resolution", "text")
      .addColumn("resolved_by_message_id", "text")
      .addColumn("completion_id", "text")
      .addColumn("completion_hash", "text")
      .addColumn("delivery_key_hash", "text")
      .addColumn("content_hash", "text")
      .addPrimaryKeyConstraint("session_messages_pk", ["session_id", "pos"])
      .addCheckConstraint("session_messages_kind", oneOf("kind", KINDS))
      .addCheckConstraint("session_messages_status", oneOf("status", ["open", "resolved"]))
      .addCheckConstraint("session_messages_priority", oneOf("priority", ["low", "normal", "high"]))
      .addCheckConstraint("session_messages_requires_ack", isBit("requires_ack"))
      .addCheckConstraint("session_messages_resolved", sql`(status = 'resolved') = (resolved_at is not null)`)
      .addCheckConstraint(
        "session_messages_completion",
        sql`(completion_id is null) = (completion_hash is null) and (completion_id is null) = (resolved_by_message_id is null)`,
      ),
  )
  const index = (name: string) => schema.createIndex(name).on("session_messages")
  await run(index("session_messages_id").unique().column("message_id"))
  await run(index("session_messages_revision").unique().columns(["session_id", "revision"]))
  await run(
    index("session_messages_delivery")
      .unique()
      .columns(["session_id", "delivery_key_hash"])
      .where(sql.ref("delivery_key_hash"), "is not", null),
  )
  await run(index("session_messages_state").columns(["session_id", "status", "kind", "requires_ack"]))
  await run(index("session_messages_replies").columns(["session_id", "reply_to"]))
  await run(
    index("session_messages_attention")
      .columns(["session_id", "pos"])
      .where(sql.ref("status"), "=", sql.lit("open"))
      .where(sql.ref("requires_ack"), "=", sql.lit(1)),
  )
}

const KINDS = ["note", "proposal", "question", "answer", "decision", "risk", "progress", "guidance", "todo"] as const

/** The message board of a Session (spec messages.md §9). */
export const board: Migration = {
  version: 2,
  async up(context) {
    await addCounters(context)
    await createMessages(context)
  },
}
