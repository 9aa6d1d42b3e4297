import { z } from "zod"
import { row } from "../kernel/errors/row.ts"

const text = z.string()
const count = z.number().int()
const strings = z.array(z.string())

/** Workflow Sessions and the coding workflow (spec sessions.md §7, workflow.md §12). */
export const sessionKinds = {
  session_capability_upgrade_denied: row({
    http: 200,
    recovery: "reauthorize",
    details: z.object({ required_scope: text, mode: text, state_changed: z.boolean() }),
  }),
  invalid_execution_context: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ field: text, reason: text }),
  }),
  session_execution_context_requires_project: row({ http: 200, recovery: "fix_input" }),
  session_capacity_exceeded: row({ http: 200, recovery: "none", details: z.object({ max: count }) }),
  unknown_client_id: row({ http: 200, recovery: "fix_input", details: z.object({ known_client_ids: strings }) }),
  coding_continuity_commit_failed: row({
    http: 200,
    recovery: "retry_later",
    details: z.object({ state_changed: z.boolean(), session_id: text.optional(), project: text.optional() }),
  }),
  work_on_project_projection_failed: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ session_id: text, state_changed: z.boolean() }),
  }),
} as const
