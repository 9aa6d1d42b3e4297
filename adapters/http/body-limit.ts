import { ToolError } from "../../core/kernel/error.ts"
import { headerValues, type RawHeaders } from "./raw-headers.ts"

/** Largest request body in bytes (spec doors.md §2.2 step 10). */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024

/** Step 10 of the gate, before any body byte is read: a stated length above the limit is refused at once. */
export function checkContentLength(rawHeaders: RawHeaders): ToolError | undefined {
  const lengths = headerValues(rawHeaders, "content-length")
  return lengths.some((length) => Number(length) > BODY_LIMIT_BYTES) ? payloadTooLarge() : undefined
}

/** The refusal of a body over the limit, stated or found while reading. */
export function payloadTooLarge(): ToolError {
  return new ToolError(
    "payload_too_large",
    `The body is over ${BODY_LIMIT_BYTES} bytes. Split the input into several calls.`,
    { details: { limit_bytes: BODY_LIMIT_BYTES } },
  )
}
