import { sql } from "kysely"
import type { Store } from "../../core/store.ts"
import type { Environment } from "../data-dir/index.ts"
import { prepareDataDir } from "../data-dir/index.ts"
import type { StoreDialect } from "./dialect.ts"
import { migrate } from "./migrate.ts"
import { MIGRATIONS } from "./migrations/list.ts"
import { createSqlStore } from "./sql-store.ts"
import type { Patience } from "./sqlite/begin-immediate.ts"
import { systemPatience } from "./sqlite/begin-immediate.ts"
import type { Durability, SqliteDatabase } from "./sqlite/database.ts"
import { sqliteDialect } from "./sqlite/dialect.ts"
import { openFailure, openSqlite } from "./sqlite/open-sqlite.ts"
import { SqliteTransactions } from "./sqlite/transactions.ts"

/** How to open the store of a data directory. */
export interface OpenStoreOptions {
  /** Path of an existing or new data directory. */
  readonly dataDir: string
  /** `power` survives a power cut with every acknowledged write; `process`, the default, any kill of a process (design §6). */
  readonly durability?: Durability
  /** The environment, by which a test runner is recognised and kept from the real default directory; absent: none is at work. */
  readonly env?: Environment
  /** Time and chance while waiting for a lock; the system's by default. */
  readonly patience?: Patience
  /** Called with each connection once its settings hold; fault tests take their grip here. */
  readonly onConnection?: (database: SqliteDatabase, role: "writer" | "reader") => void
}

/** The store of a data directory, and what `Signals` needs of it. */
export interface OpenedStore extends Store {
  /** A number that moves when another process, and only another one, has committed. */
  foreignCommits(): number
}

/**
 * Opens the SQLite store of a data directory, making directory, file and schema where they are missing (design §6).
 * Throws `StoreOpenError` (newer schema, not writable, no database), `DataDirError`, or `storage_unavailable` when
 * another process keeps the lock for 5 s.
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const { durability = "process", patience = systemPatience, onConnection } = options
  prepareDataDir(options.dataDir, options.env ?? {})
  const settings = { durability, patience, ...(onConnection !== undefined && { onConnection }) }
  const transactions = new SqliteTransactions(await openSqlite(options.dataDir, settings), patience)
  try {
    const dialect = sqliteDialect()
    const schemaVersion = await upgrade(dialect, transactions)
    const store = createSqlStore({ dialect, transactions, schemaVersion })
    return { ...store, foreignCommits: () => transactions.foreignCommits() }
  } catch (error) {
    await transactions.close()
    throw openFailure(error)
  }
}

/** Migrates under the write lock, so that processes which start together migrate once. */
function upgrade(dialect: StoreDialect, transactions: SqliteTransactions): Promise<number> {
  return transactions.write(async (connection) => {
    const tables = sql<{ name: string }>`select name from sqlite_master where type = 'table' and name = 'meta'`
    const { rows } = await connection.executeQuery(tables.compile(dialect.builder))
    return migrate(dialect, connection, { hasMeta: rows.length > 0, migrations: MIGRATIONS })
  })
}
