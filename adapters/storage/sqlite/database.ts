import Sqlite from "better-sqlite3"

/** One open connection of better-sqlite3. */
export type SqliteDatabase = Sqlite.Database

/** What a power cut may cost (design §6): `process` nothing that a killed process could; `power` nothing at all. */
export type Durability = "process" | "power"

/** Opens a connection that answers SQLITE_BUSY after `busyMs`; makes the file when it is missing. */
export function openDatabase(path: string, busyMs: number): SqliteDatabase {
  return new Sqlite(path, { timeout: busyMs })
}

/** Settings that hold for one connection, not for the file. */
export function configure(database: SqliteDatabase, durability: Durability): void {
  database.pragma(`synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`)
  database.pragma("foreign_keys = ON")
  database.pragma("trusted_schema = OFF")
  database.pragma("temp_store = MEMORY")
  database.pragma("cache_size = -16000")
  database.pragma("journal_size_limit = 67108864")
}

/** Turns on write-ahead logging, which stays with the file. Throws SQLITE_BUSY while another process does the same. */
export function useWriteAheadLog(database: SqliteDatabase): void {
  const mode = database.pragma("journal_mode = WAL", { simple: true })
  if (mode !== "wal")
    throw new Error(`SQLite keeps journal mode ${String(mode)}: write-ahead logging is not possible here.`)
}

/** Counts the commits that other connections, of this process or another one, made to the file. */
export function foreignCommits(database: SqliteDatabase): number {
  return Number(database.pragma("data_version", { simple: true }))
}
