import type { DatabaseConnection, Kysely, RawBuilder } from "kysely"
import type { Schema } from "./schema.ts"

/** What differs between databases, as the repositories and migrations see it. */
export interface StoreDialect {
  readonly name: "sqlite" | "postgres"
  /** Builds and compiles queries; it has no connection of its own. */
  readonly builder: Kysely<Schema>
  /** Column type of raw bytes. */
  readonly bytesType: "blob" | "bytea"
  /** Statements that make the database set `column` to 1 in every row of `table` that is changed after its insert. */
  readonly markRewrites: (table: string, column: string) => readonly RawBuilder<unknown>[]
  /** Ends the definition of a table that is kept as one tree by its primary key, where that has to be said. */
  readonly keyedTable?: RawBuilder<unknown>
}

/** Runs transactions against one database; the unit that a second dialect implements beside `StoreDialect`. */
export interface Transactions {
  /** A read transaction: everything `work` reads is one state. */
  read<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T>
  /** For a single query, which sees one state without a transaction round it. */
  readOnce<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T>
  /** A write transaction that no other writer overlaps; commits when `work` resolves, rolls back when it throws. */
  write<T>(work: (connection: DatabaseConnection) => Promise<T>): Promise<T>
  /** Bytes of the database's files. */
  sizeBytes(): Promise<number>
  close(): Promise<void>
}
