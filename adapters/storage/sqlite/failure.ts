import { ToolError } from "../../../core/kernel/error.ts"

/** SQLite's result code of an error, extended form (`SQLITE_BUSY_SNAPSHOT`); `undefined` for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined
  return typeof error.code === "string" && error.code.startsWith("SQLITE_") ? error.code : undefined
}

/** Whether another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)(_|$)/.test(sqliteCode(error) ?? "")
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, "The database is locked by another process"],
  [/^SQLITE_FULL/, "The disk of the data directory is full"],
  [/^SQLITE_READONLY/, "The database is read-only"],
  [/^SQLITE_(IOERR|CANTOPEN)/, "The database cannot be read or written"],
]

/** `storage_unavailable` for what the database's surroundings cause; every other error as it is (spec kernel.md §6). */
export function storageFailure(error: unknown): unknown {
  const code = sqliteCode(error)
  const cause = CAUSES.find(([pattern]) => code !== undefined && pattern.test(code))
  if (cause === undefined) return error
  return new ToolError("storage_unavailable", `${cause[1]} (${code}); nothing was stored. Try again later.`, {
    cause: error,
  })
}
