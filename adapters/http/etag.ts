import { createHash } from "node:crypto"
import { headerValues, type RawHeaders } from "./raw-headers.ts"

/** Strong entity tag of served bytes: 32 hex characters of their SHA-256, quoted (spec doors.md §3.2). */
export function entityTag(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`
}

/** Whether `If-None-Match` holds the tag, so that 304 answers: compared weakly, `*` matches anything (RFC 9110 §13.1.2). */
export function isUnmodified(rawHeaders: RawHeaders, etag: string): boolean {
  const lines = headerValues(rawHeaders, "if-none-match")
  if (lines.length === 1 && lines[0]?.trim() === "*") return true
  return lines.some((line) => line.match(/(?:W\/)?"[^"]*"/g)?.some((tag) => tag.replace(/^W\//, "") === etag) ?? false)
}
