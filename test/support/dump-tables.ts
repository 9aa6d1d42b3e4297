import { join } from "node:path"
import Database from "better-sqlite3"

/** Every row of every table of a data directory's store as text, for "this is in no table". */
export function dumpTables(dataDir: string): string {
  const database = new Database(join(dataDir, "holdfast.db"), { readonly: true })
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
    return tables
      .map(({ name }) => {
        const rows = database.prepare(`select * from "${name}"`).all() as Record<string, unknown>[]
        return `${name}\n${rows.map((row) => JSON.stringify(row, bytesAsText)).join("\n")}`
      })
      .join("\n")
  } finally {
    database.close()
  }
}

/** Blobs as text, so that a search finds readable bytes in them. */
function bytesAsText(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "Buffer") return value
  return "data" in value && Array.isArray(value.data) ? Buffer.from(value.data).toString("latin1") : value
}
