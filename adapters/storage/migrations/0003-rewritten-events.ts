import { sql } from "kysely"
import { isBit } from "./columns.ts"
import type { Migration } from "./migration.ts"

/** What counts are made of, in the order in which they are grouped: a count reads this index and nothing else. */
const COUNTED = ["role", "tool_name", "status", "error_kind", "execution_state", "effect", "activity"] as const

/**
 * Whether anybody has changed an event's row after its append, which Holdfast never does. Counts trust the columns of all
 * others, and only rewritten rows have to be judged by the event's schema (spec sessions.md §5.8).
 */
export const rewrittenEvents: Migration = {
  version: 3,
  async up({ schema, run, markRewrites }) {
    await run(
      schema
        .alterTable("session_events")
        .addColumn("rewritten", "integer", (column) => column.notNull().defaultTo(0).check(isBit("rewritten"))),
    )
    for (const statement of markRewrites("session_events", "rewritten")) await run(statement)
    await run(
      schema
        .createIndex("session_events_rewritten")
        .on("session_events")
        .columns(["session_id", "seq"])
        .where(sql.ref("rewritten"), "=", sql.lit(1)),
    )
    await run(
      schema
        .createIndex("session_events_calls")
        .on("session_events")
        .columns(["session_id", ...COUNTED])
        .where(sql.ref("kind"), "=", sql.lit("tool_call_finished"))
        .where(sql.ref("rewritten"), "=", sql.lit(0)),
    )
  },
}
