import Sqlite from "better-sqlite3"

/** What every recorded call costs at least: two transactions, each of one insert and one update. */
export interface RawLedger {
  /** Start and finish of one call (spec sessions.md §11). */
  recordCall(): void
  close(): void
}

/** The settings of every connection of the product. */
export const PRAGMAS = [
  "journal_mode = WAL",
  "synchronous = NORMAL",
  "foreign_keys = ON",
  "trusted_schema = OFF",
  "temp_store = MEMORY",
  "cache_size = -16000",
  "journal_size_limit = 67108864",
]

/**
 * better-sqlite3 with nothing above it, on a database file of the product whose Sessions it takes in turn and in which one call
 * is recorded: the same tables, settings and payloads.
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
  const sessions = database.prepare<[], { session_id: string }>("select session_id from sessions").all()
  // Beyond the numbers that are taken in any of the Sessions.
  let seq = 10_000
  const append = database.transaction((row: Record<string, unknown>, session_id: string) => {
    seq += 1
    const at = Date.now()
    advance.run({ at, session_id })
    insert.run({ ...row, session_id, seq, at, event_id: `evt_${String(seq).padStart(32, "0")}` })
  })
  let turn = 0
  return {
    recordCall() {
      turn += 1
      const { session_id = "" } = sessions[turn % sessions.length] ?? {}
      append.immediate(started, session_id)
      append.immediate(finished, session_id)
    },
    close: () => database.close(),
  }
}
