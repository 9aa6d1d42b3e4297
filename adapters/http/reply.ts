import { ToolError } from "../../core/kernel/error.ts"
import { errorBody } from "../../core/kernel/pipeline/error-body.ts"
import type { ToolErrorBody, ToolResult } from "../../core/kernel/result.ts"
import { bearerChallenge } from "./bearer.ts"
import { onlyHeader, type RawHeaders } from "./raw-headers.ts"

/** Default wait of `retry_later` in milliseconds (spec kernel.md §6). */
const DEFAULT_RETRY_AFTER_MS = 1000

/** Headers that stand on every reply (spec doors.md §2.3), beside the request id. */
export const REPLY_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}

/** `Content-Type` of every reply but the privacy page and the apps challenge. */
export const JSON_CONTENT_TYPE = "application/json; charset=utf-8"

/** The request id: the caller's if it is well formed, else a minted one (spec doors.md §2.3). */
export function requestId(rawHeaders: RawHeaders, mint: () => string): string {
  const stated = onlyHeader(rawHeaders, "x-request-id")
  return stated !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(stated) ? stated : mint()
}

/** Seconds for `Retry-After`, rounded up so that nobody comes back too early; `undefined` where waiting is no cure. */
export function retryAfterSecs(error: Pick<ToolErrorBody, "recovery" | "retry_after_ms">): number | undefined {
  if (error.recovery !== "retry_later") return undefined
  return Math.max(1, Math.ceil((error.retry_after_ms ?? DEFAULT_RETRY_AFTER_MS) / 1000))
}

/** Headers that a refusal of the gate carries: the challenge of a 401, `Allow` of a 405, `Retry-After` of 429 and 503. */
export function refusalHeaders(error: ToolError, allow?: readonly string[]): Readonly<Record<string, string>> {
  const { recovery, retryAfterMs } = error
  const seconds = retryAfterSecs({ recovery, ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }) })
  return {
    ...(error.kind === "unauthenticated" ? { "WWW-Authenticate": bearerChallenge(error) } : {}),
    ...(allow ? { Allow: allow.join(", ") } : {}),
    ...(seconds === undefined ? {} : { "Retry-After": String(seconds) }),
  }
}

/** The body of a refusal: a failed ToolResult without output (spec doors.md §2.3, kernel.md §6). */
export function refusalBody(error: ToolError): ToolResult & { readonly success: false } {
  return { success: false, error: errorBody(error) }
}

/** A fault that no kind describes, as it may be sent: without text, stack or cause (spec kernel.md §6). */
export function internalError(requestId: string): ToolError {
  return new ToolError(
    "internal_error",
    `The server failed in a way it did not foresee; its log names request ${requestId}. Read the state again first.`,
  )
}
