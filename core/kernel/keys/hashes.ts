import { createHash } from "node:crypto"
import canonicalize from "canonicalize"

/** Name of a call key's row: keys of two principals never meet (spec doors.md §2.5). */
export function keyHash(principalId: string, key: string): string {
  return createHash("sha256").update(`${principalId}\0${key}`).digest("hex")
}

/** What makes two calls the same content: RFC 8785 JSON of parsed input and wrapper (spec doors.md §2.5). */
export function inputHash(content: { readonly input: object; readonly wrapper: object }): string {
  return createHash("sha256")
    .update(canonicalize(content) ?? "")
    .digest("hex")
}
