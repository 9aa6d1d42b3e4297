import { ToolError } from "../../core/kernel/error.ts"
import { headerValues, type RawHeaders } from "./raw-headers.ts"

/** What step 3 of the gate found: no browser page, an allowed page, or a refusal. */
export type OriginFinding =
  | { readonly origin: string | undefined; readonly error?: never }
  | { readonly error: ToolError; readonly origin?: never }

/**
 * Step 3 of the gate (spec doors.md §2.2): no `Origin`, or exactly one that equals an allowed origin as a whole string,
 * port included. `null` is never allowed.
 */
export function checkOrigin(rawHeaders: RawHeaders, allowedOrigins: ReadonlySet<string>): OriginFinding {
  const [origin, ...more] = headerValues(rawHeaders, "origin")
  if (origin === undefined) return { origin: undefined }
  if (more.length === 0 && allowedOrigins.has(origin)) return { origin }
  return {
    error: new ToolError(
      "origin_denied",
      "Pages of that origin may not call this server. Add the exact origin to allow_origin, or call without a browser.",
    ),
  }
}
