import { headerValues, type RawHeaders } from "./raw-headers.ts"

const EXPOSED = "Retry-After, X-Request-Id, Idempotency-Replayed, Holdfast-Schema-Hash"
const ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, Prefer, X-Request-Id, X-Session-ID"

/** Whether a request of an allowed origin is a CORS preflight: `OPTIONS` that asks for a method. */
export function isPreflight(method: string, rawHeaders: RawHeaders): boolean {
  return method === "OPTIONS" && headerValues(rawHeaders, "access-control-request-method").length > 0
}

/** Headers of the 204 that answers a preflight (spec doors.md §2.2 step 4); never credentials, never `*`. */
export function preflightHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    "Access-Control-Allow-Origin": origin,
    Vary: "Origin",
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Expose-Headers": EXPOSED,
    "Access-Control-Max-Age": "600",
  }
}

/** Headers that let a page of an allowed origin read a reply, refusals included; none without an origin. */
export function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined) return {}
  return { "Access-Control-Allow-Origin": origin, Vary: "Origin", "Access-Control-Expose-Headers": EXPOSED }
}
