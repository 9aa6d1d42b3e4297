import type { ColumnDefinitionBuilder, RawBuilder } from "kysely"
import { sql } from "kysely"

/** A column that must have a value. */
export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull()

/** A text primary key. */
export const textKey = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.primaryKey().notNull()

/** The check that a column is null or one of a closed set of words. */
export function oneOf(column: string, words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in (${sql.join(words.map((word) => sql.lit(word)))})`
}

/** The check that a column is 0 or 1. */
export function isBit(column: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} in (0, 1)`
}
