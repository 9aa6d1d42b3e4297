import { join } from "node:path"
import Database from "better-sqlite3"

const TABLES = ["session_events", "sessions", "jobs", "projects", "coding_sessions", "open_calls"] as const

type Row = Record<string, unknown>

/** How often a Job's row changed hangs on when its supervisor looked, not on the door; tokens state it too. */
const BY_CHANCE = { column: "revision", member: "observation_token" } as const

/** What a script left in a data directory: the ledger and the domain rows, without the door. */
export function rowsOf(dataDir: string): Record<(typeof TABLES)[number], readonly Row[]> {
  const database = new Database(join(dataDir, "holdfast.db"), { readonly: true })
  try {
    const rows = (table: string): readonly Row[] =>
      database
        .prepare<[], Row>(`select * from ${table} order by 1, 2`)
        .all()
        .map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => column !== "door")))
    return {
      session_events: rows("session_events"),
      sessions: rows("sessions"),
      jobs: rows("jobs").map(({ [BY_CHANCE.column]: _changes, ...row }) => row),
      projects: rows("projects"),
      coding_sessions: rows("coding_sessions"),
      open_calls: rows("open_calls"),
    }
  } finally {
    database.close()
  }
}

/** Which doors the ledger names. */
export function doorsIn(dataDir: string): readonly string[] {
  const database = new Database(join(dataDir, "holdfast.db"), { readonly: true })
  try {
    const rows = database.prepare<[], { door: string }>("select distinct door from session_events order by 1").all()
    return rows.map(({ door }) => door)
  } finally {
    database.close()
  }
}

/** The wrapper field that newer MCP alone takes, so that it stands there among the fields that a tool expects. */
const OF_ONE_DOOR: unknown = "ack_session_message_ids"

/** A result without the door, which `session_summary` tells, and with every token as "token". */
export function withoutDoor(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== OF_ONE_DOOR).map(withoutDoor)
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== "door")
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === BY_CHANCE.member ? "token" : withoutDoor(member)]),
  )
}
