import Sqlite from "better-sqlite3"

/** What every recorded call costs at least: two transactions, each of one insert and one update. */
export interface RawLedger {
  /** Start and finish of one call (spec sessions.md §11). */
  recordCall(): void
  close(): void
}

const PRAGMAS = [
  "journal_mode = WAL",
  "synchronous = NORMAL",
  "foreign_keys = ON",
  "trusted_schema = OFF",
  "temp_store = MEMORY",
  "cache_size = -16000",
  "journal_size_limit = 67108864",
]

/**
 * better-sqlite3 with nothing above it, on a database file of the product that holds one Session with one recorded call: the
 * same tables, settings and payloads.
 */
export function openRawLedger(file: string): RawLedger {
  const database = new Sqlite(file, { timeout: 5_000 })
  for (const pragma of PRAGMAS) database.pragma(pragma)
  const template = (kind: string) => {
    const row = database
      .prepare<[string], Record<string, unknown>>(
        "select * from session_events where kind = ? order by seq desc limit 1",
      )
      .get(kind)
    if (row === undefined) throw new Error(`The database holds no ${kind} event to copy.`)
    return row
  }
  const started = template("tool_call_started")
  const finished = template("tool_call_finished")
  const columns = Object.keys(started)
  const insert = database.prepare(
    `insert into session_events (${columns.join(", ")}) values (${columns.map((column) => `@${column}`).join(", ")})`,
  )
  const advance = database.prepare(
    "update sessions set events_observed = events_observed + 1, updated_at = @at where session_id = @session_id",
  )
  const newest = database.prepare<[unknown], { seq: number }>(
    "select coalesce(max(seq), 0) as seq from session_events where session_id = ?",
  )
  let seq = newest.get(started.session_id)?.seq ?? 0
  const append = database.transaction((row: Record<string, unknown>) => {
    seq += 1
    const at = Date.now()
    advance.run({ at, session_id: row.session_id })
    insert.run({ ...row, seq, at, event_id: `evt_${String(seq).padStart(32, "0")}` })
  })
  return {
    recordCall() {
      append.immediate(started)
      append.immediate(finished)
    },
    close: () => database.close(),
  }
}
