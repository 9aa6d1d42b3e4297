import { statSync } from "node:fs"
import type { DatabaseConnection } from "kysely"
import { ToolError } from "../../../core/kernel/error.ts"
import type { Transactions } from "../dialect.ts"
import { Queue } from "../queue.ts"
import type { Patience } from "./begin-immediate.ts"
import { beginImmediate, whileBusy } from "./begin-immediate.ts"
import { SqliteConnection } from "./connection.ts"
import type { SqliteDatabase } from "./database.ts"
import { foreignCommits } from "./database.ts"
import { sqliteCode, storageFailure } from "./failure.ts"

/** The two open connections of one store; the reader never waits for the writer. */
export interface SqlitePair {
  readonly path: string
  readonly writer: SqliteDatabase
  readonly reader: SqliteDatabase
}

/** Transactions over SQLite: one writer and one reader connection, each used by one transaction at a time. */
export class SqliteTransactions implements Transactions {
  readonly #pair: SqlitePair
  readonly #patience: Patience
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #writes = new Queue()
  readonly #reads = new Queue()

  constructor(pair: SqlitePair, patience: Patience) {
    this.#pair = pair
    this.#patience = patience
    this.#writer = new SqliteConnection(pair.writer)
    this.#reader = new SqliteConnection(pair.reader)
  }

  read<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.#reads.run(async () => {
      const waiting = whileBusy(() => this.#reader.command("begin"), this.#patience)
      if (waiting !== undefined) await waiting
      return settle(this.#reader, work)
    })
  }

  /** SQLite itself shows one statement one state. */
  readOnce<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.#reads.run(() => work(this.#reader))
  }

  write<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return this.#writes.run(async () => {
      const waiting = beginImmediate(this.#writer, this.#patience)
      if (waiting !== undefined) await waiting
      return settle(this.#writer, work)
    })
  }

  /** Commits of other connections seen so far; this process's own writes do not count. */
  foreignCommits(): number {
    return foreignCommits(this.#pair.writer)
  }

  async sizeBytes(): Promise<number> {
    const files = [this.#pair.path, `${this.#pair.path}-wal`]
    return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
  }

  /** Lets running transactions end, then closes; a second call does nothing. */
  async close(): Promise<void> {
    await this.#reads.run(async () => void this.#pair.reader.close())
    await this.#writes.run(async () => void this.#pair.writer.close())
  }
}

/** Runs the work of an open transaction to its commit, or its rollback when the work or the commit throws. */
async function settle<T>(
  connection: SqliteConnection,
  work: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  try {
    const result = await work(connection)
    commit(connection)
    return result
  } catch (error) {
    // SQLite itself has rolled back after some errors (a full disk); a second rollback would hide the first cause.
    if (connection.inTransaction) connection.command("rollback")
    throw storageFailure(error)
  }
}

/** SQLite says of every commit of its own whether it happened; a connection that is gone says nothing. */
function commit(connection: SqliteConnection): void {
  try {
    connection.command("commit")
  } catch (error) {
    if (sqliteCode(error) !== undefined) throw error
    throw new ToolError(
      "outcome_unknown",
      "The connection to the database was lost in a commit, so it may have happened or not. Look at the state again.",
      { cause: error },
    )
  }
}
