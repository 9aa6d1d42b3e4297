import { z } from "zod"
import { row } from "../kernel/errors/row.ts"

const text = z.string()
const count = z.number().int()

/** The message board (spec messages.md §8). */
export const messageKinds = {
  invalid_session_message: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ field: text, reason: z.enum(["empty", "control", "malformed", "one_line"]) }),
  }),
  unknown_message_id: row({ http: 200, recovery: "fix_input", details: z.object({ field: text }) }),
  session_message_not_todo: row({ http: 200, recovery: "fix_input" }),
  message_not_open: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ resolved_at: z.number(), answer_message_id: text.optional() }),
  }),
  message_board_full: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({
      retained: count,
      open_counts: z.object({ guidance: count, question: count, todo: count, risk: count }),
      ack_required_open: count,
    }),
  }),
  assignment_too_large: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ reply_count: count, max_replies: count }),
  }),
  invalid_assignment_fence: row({ http: 200, recovery: "fix_input" }),
  assignment_stale: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ reason: z.enum(["changed", "resolved"]), reply_count: count }),
  }),
  already_completed: row({
    http: 200,
    recovery: "none",
    details: z.object({ answer_message_id: text, completion_id: text }),
  }),
  completion_persistence_uncertain: row({ http: 200, recovery: "retry_same" }),
  message_unreadable: row({ http: 200, recovery: "none", details: z.object({ message_id: text }) }),
  invalid_session_message_observation_token: row({ http: 200, recovery: "reobserve" }),
} as const
