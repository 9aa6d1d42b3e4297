import { createHash } from "node:crypto"
import { ToolError } from "./error.ts"

/** What a list was asked with, in an order of its own. */
export type ListFilters = readonly (string | boolean | undefined)[]

const digest = (filters: ListFilters): string =>
  createHash("sha256").update(JSON.stringify(filters)).digest("base64url").slice(0, 12)

/** An opaque position in a list, bound to the filters that the list was asked with. `position` is of ASCII without space. */
export function encodeCursor(position: string, filters: ListFilters): string {
  return Buffer.from(`${digest(filters)} ${position}`, "utf8").toString("base64url")
}

/** The position after which a page begins. @throws ToolError `invalid_arguments` for a damaged or foreign cursor */
export function decodeCursor(cursor: string, filters: ListFilters): string {
  const [bound, position, ...more] = Buffer.from(cursor, "base64url").toString("utf8").split(" ")
  if (bound === digest(filters) && position !== undefined && position !== "" && more.length === 0) return position
  throw foreignCursor()
}

/** The one answer for a cursor that is not of this list. */
export function foreignCursor(): ToolError<"invalid_arguments"> {
  return new ToolError("invalid_arguments", "The cursor belongs to another list. Repeat the first page without it.", {
    details: { field: "cursor", fields: [{ path: "cursor", code: "format" }] },
  })
}
