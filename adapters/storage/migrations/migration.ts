import type { Compilable, RawBuilder, SchemaModule } from "kysely"

/** What a migration works with; it is the same in every dialect. */
export interface MigrationContext {
  readonly schema: SchemaModule
  readonly bytesType: "blob" | "bytea"
  /** Statements that make the database set `column` to 1 in every row of `table` that is changed after its insert. */
  readonly markRewrites: (table: string, column: string) => readonly RawBuilder<unknown>[]
  /** Ends the definition of a table that is kept as one tree by its primary key, in dialects where that has to be said. */
  readonly keyedTable: RawBuilder<unknown> | undefined
  /** Runs one statement inside the migration's transaction. */
  readonly run: (statement: Compilable | RawBuilder<unknown>) => Promise<void>
}

/** One numbered, forward-only step; once released it never changes. */
export interface Migration {
  readonly version: number
  up(context: MigrationContext): Promise<void>
}
