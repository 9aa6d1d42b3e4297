import { createHash } from "node:crypto"
import { ToolError } from "../kernel/error.ts"

const digest = (filters: readonly (string | boolean | undefined)[]): string =>
  createHash("sha256").update(JSON.stringify(filters)).digest("base64url").slice(0, 12)

/** An opaque position in a list by slug, bound to the filters that the list was asked with. */
export function encodeCursor(afterSlug: string, filters: readonly (string | boolean | undefined)[]): string {
  return Buffer.from(`${digest(filters)} ${afterSlug}`, "utf8").toString("base64url")
}

/** The slug after which a page begins. @throws ToolError `invalid_arguments` for a damaged or foreign cursor */
export function decodeCursor(cursor: string, filters: readonly (string | boolean | undefined)[]): string {
  const [bound, slug, ...more] = Buffer.from(cursor, "base64url").toString("utf8").split(" ")
  if (bound === digest(filters) && slug !== undefined && slug !== "" && more.length === 0) return slug
  throw new ToolError("invalid_arguments", "The cursor belongs to another list. Repeat the first page without it.", {
    details: { field: "cursor", fields: [{ path: "cursor", code: "format" }] },
  })
}
