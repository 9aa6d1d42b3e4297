import type { Compilable, RawBuilder, SchemaModule } from "kysely"

/** What a migration works with; it is the same in every dialect. */
export interface MigrationContext {
  readonly schema: SchemaModule
  readonly bytesType: "blob" | "bytea"
  /** Runs one statement inside the migration's transaction. */
  readonly run: (statement: Compilable | RawBuilder<unknown>) => Promise<void>
}

/** One numbered, forward-only step; once released it never changes. */
export interface Migration {
  readonly version: number
  up(context: MigrationContext): Promise<void>
}
