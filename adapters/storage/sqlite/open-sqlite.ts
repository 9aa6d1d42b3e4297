import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { StoreOpenError } from "../store-open-error.ts"
import type { Patience } from "./begin-immediate.ts"
import { whileBusy } from "./begin-immediate.ts"
import type { Durability, SqliteDatabase } from "./database.ts"
import { configure, openDatabase, useWriteAheadLog } from "./database.ts"
import { isBusy, sqliteCode } from "./failure.ts"
import type { SqlitePair } from "./transactions.ts"

/** How long SQLite itself may block the event loop for the write lock. */
const WRITER_BUSY_MS = 5

/** Readers wait in SQLite only while another process recovers the log after a crash, which takes milliseconds. */
const READER_BUSY_MS = 1000

/** The database file's name in a data directory. */
export const DATABASE_FILE = "holdfast.db"

/** How to open the file. */
export interface SqliteSettings {
  readonly durability: Durability
  readonly patience: Patience
  /** Called with each connection once its settings hold; fault tests take their grip here. */
  readonly onConnection?: (database: SqliteDatabase, role: "writer" | "reader") => void
}

/** The addon is built for this version of Node-API; an older Node ends with a segmentation fault when it loads the addon. */
const NODE_API = 10

/**
 * Refuses a runtime whose Node-API the addon does not know: the command line has said so before, an embedding program has not.
 * @throws StoreOpenError `runtime_too_old`
 */
export function requireNodeApi({ napi, node }: { readonly napi?: string; readonly node: string }): void {
  if (Number(napi) >= NODE_API) return
  throw new StoreOpenError(
    "runtime_too_old",
    `The database needs Node 22.14 or newer (Node-API ${NODE_API}); this is Node ${node}.`,
  )
}

/**
 * The file is for its owner alone, as all that SQLite puts beside it then is. An existing one is never opened for that:
 * closing it again would drop the locks that this process holds on it.
 */
function closeToOthers(path: string): void {
  if (process.platform === "win32") return
  try {
    if (!existsSync(path)) closeSync(openSync(path, "wx", 0o600))
    else if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  } catch {
    // Another process was faster, or the file cannot be had: SQLite says which, with its own code.
  }
}

/** Opens the writer and the reader connection of a data directory; throws `StoreOpenError` when the file cannot serve. */
export async function openSqlite(dataDir: string, settings: SqliteSettings): Promise<SqlitePair> {
  requireNodeApi(process.versions)
  const path = join(dataDir, DATABASE_FILE)
  closeToOthers(path)
  const opened: SqliteDatabase[] = []
  const open = async (role: "writer" | "reader"): Promise<SqliteDatabase> => {
    const database = openDatabase(path, role === "writer" ? WRITER_BUSY_MS : READER_BUSY_MS)
    opened.push(database)
    if (role === "writer") await whileBusy(() => useWriteAheadLog(database), settings.patience)
    configure(database, settings.durability)
    if (role === "reader") database.pragma("query_only = ON")
    settings.onConnection?.(database, role)
    return database
  }
  try {
    return { path, writer: await open("writer"), reader: await open("reader") }
  } catch (error) {
    for (const database of opened) database.close()
    throw openFailure(error)
  }
}

/** Why the file cannot serve, told as `StoreOpenError`; a lock that another process keeps stays `storage_unavailable`. */
export function openFailure(error: unknown): unknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = sqliteCode(cause)
  if (code === undefined || isBusy(cause)) return error
  if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT")) {
    const message = `${DATABASE_FILE} in the data directory is no database (${code}). Restore it or use another data directory.`
    return new StoreOpenError("not_a_database", message, { cause: error })
  }
  const message = `${DATABASE_FILE} in the data directory cannot be written (${code}). Check its permissions, disk and owner.`
  return new StoreOpenError("not_writable", message, { cause: error })
}
