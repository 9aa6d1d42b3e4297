import type Sqlite from "better-sqlite3"
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely"
import type { SqliteDatabase } from "./database.ts"
import { storageFailure } from "./failure.ts"

const MAX_STATEMENTS = 400

/** Kysely's connection over better-sqlite3, with prepared statements kept (spec doors.md §7.2). */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: SqliteDatabase
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(database: SqliteDatabase) {
    this.#database = database
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return this.#execute<R>(query)
    } catch (error) {
      throw storageFailure(error)
    }
  }

  /** No query of the store is streamed: bounded pages are. */
  streamQuery(): never {
    throw new Error("The store does not stream queries; read in pages.")
  }

  /** Runs a statement without values or rows: BEGIN, COMMIT, ROLLBACK. Throws SQLite's own error. */
  command(sql: "begin" | "begin immediate" | "commit" | "rollback"): void {
    this.#prepare(sql).run()
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    const prepared = this.#prepare(query.sql)
    if (prepared.reader) {
      const rows = rowsOf<R>(prepared, query.parameters)
      return { rows, numAffectedRows: BigInt(rows.length) }
    }
    return { rows: [], numAffectedRows: BigInt(prepared.run(...query.parameters).changes) }
  }

  #prepare(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear()
    const prepared = this.#database.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

/** Kysely promises rows of type `R`; only the SQL decides what they are, so that trust is placed here and nowhere else. */
function rowsOf<R>(prepared: Sqlite.Statement, parameters: readonly unknown[]): R[]
function rowsOf(prepared: Sqlite.Statement, parameters: readonly unknown[]): unknown[] {
  return prepared.all(...parameters)
}
