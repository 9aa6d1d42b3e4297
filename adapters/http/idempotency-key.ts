import { ToolError } from "../../core/kernel/error.ts"
import { headerValues, type RawHeaders } from "./raw-headers.ts"

/** Whether a text has the form of a call key: 16..128 printable ASCII characters (spec doors.md §2.5). */
export function isCallKey(text: string): boolean {
  return /^[\x21-\x7E]{16,128}$/.test(text)
}

/** The caller's `Idempotency-Key`; `undefined` when none came. Throws `idempotency_key_invalid`. */
export function callKey(rawHeaders: RawHeaders): string | undefined {
  const [key, ...more] = headerValues(rawHeaders, "idempotency-key")
  if (key === undefined) return undefined
  if (more.length === 0 && isCallKey(key)) return key
  throw new ToolError(
    "idempotency_key_invalid",
    "Idempotency-Key must be one header of 16 to 128 visible ASCII characters without blanks. Nothing was run; send " +
      "the call again with such a key, for instance a UUID.",
  )
}
