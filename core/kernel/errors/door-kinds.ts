import { z } from "zod"
import { row } from "./row.ts"

const text = z.string()
const count = z.number().int()

/** What the doors refuse (spec doors.md §2.3). */
export const doorKinds = {
  host_denied: row({ http: 403, recovery: "none" }),
  origin_denied: row({ http: 403, recovery: "none" }),
  route_not_found: row({ http: 404, recovery: "none" }),
  method_not_allowed: row({ http: 405, recovery: "none" }),
  unsupported_media_type: row({ http: 415, recovery: "fix_input" }),
  payload_too_large: row({ http: 413, recovery: "fix_input", details: z.object({ limit_bytes: count }) }),
  invalid_json: row({
    http: 400,
    recovery: "fix_input",
    details: z.object({
      reason: z.enum(["encoding", "syntax", "root", "depth", "duplicate_key"]),
      line: count.optional(),
      column: count.optional(),
    }),
  }),
  rate_limited: row({ http: 429, recovery: "retry_later" }),
  shutting_down: row({ http: 503, recovery: "retry_later" }),
  idempotency_key_invalid: row({ http: 400, recovery: "fix_input" }),
  call_in_progress: row({ http: 409, recovery: "retry_same", details: z.object({ call_id: text.optional() }) }),
  result_not_retained: row({ http: 409, recovery: "reobserve", details: z.object({ call_id: text }) }),
  call_not_found: row({ http: 404, recovery: "reobserve" }),
} as const
