import { z } from "zod"
import { row } from "./row.ts"

const text = z.string()
const count = z.number().int()
const strings = z.array(z.string())
const role = z.enum(["recorder", "business"])

/** What every call can meet (spec kernel.md §6). */
export const kernelKinds = {
  invalid_arguments: row({
    http: 400,
    recovery: "fix_input",
    details: z.object({
      field: text.optional(),
      fields: z
        .array(
          z.object({
            path: text,
            code: z.enum([
              "required",
              "type",
              "too_small",
              "too_big",
              "pattern",
              "enum",
              "format",
              "conflict",
              "unknown",
              "null",
            ]),
          }),
        )
        .max(16)
        .optional(),
      unknown_fields: strings.optional(),
      known_fields: strings.optional(),
      conflicting_fields: strings.optional(),
      missing_fields: strings.optional(),
      schema_hash: text.optional(),
    }),
  }),
  project_required: row({ http: 200, recovery: "fix_input" }),
  unauthenticated: row({
    http: 401,
    recovery: "reauthorize",
    details: z.object({ reason: z.enum(["missing", "malformed", "unknown", "revoked", "expired", "disabled"]) }),
  }),
  insufficient_scope: row({
    http: 403,
    recovery: "reauthorize",
    details: z.object({ required: strings, missing: strings }),
  }),
  session_authority_identity_unavailable: row({ http: 403, recovery: "reauthorize" }),
  tool_disabled: row({
    http: 403,
    recovery: "none",
    details: z.object({ reason: z.enum(["disabled", "feature_off"]) }),
  }),
  session_authority_denied: row({ http: 403, recovery: "none" }),
  session_guard_denied: row({
    http: 403,
    recovery: "none",
    details: z.object({
      session_id: text,
      role,
      guard: z.enum(["write", "shell"]),
      mode: z.enum(["normal", "read_only"]),
    }),
  }),
  permission_denied: row({
    http: 403,
    recovery: "none",
    details: z.object({ request_id: text, reason: text, risk: text }),
  }),
  project_access_denied: row({ http: 403, recovery: "none" }),
  session_project_mismatch: row({ http: 403, recovery: "fix_input", details: z.object({ roles: strings }) }),
  effect_not_allowed: row({ http: 403, recovery: "fix_input", details: z.object({ tool: text, effect: text }) }),
  unknown_session_id: row({
    http: 404,
    recovery: "fix_input",
    details: z.object({ role, reason: z.enum(["unknown", "expired"]), expired_at: z.number().optional() }),
  }),
  project_not_found: row({ http: 404, recovery: "fix_input" }),
  unknown_tool: row({
    http: 404,
    recovery: "reobserve",
    details: z.object({ did_you_mean: strings.max(3), surfaces: strings, schema_hash: text.optional() }),
  }),
  unsupported_resource: row({ http: 409, recovery: "fix_input", details: z.object({ resource: text.optional() }) }),
  session_closed: row({ http: 409, recovery: "none", details: z.object({ session_id: text, role }) }),
  session_unreadable: row({ http: 409, recovery: "none", details: z.object({ session_id: text, role }) }),
  workspace_missing: row({ http: 409, recovery: "none", details: z.object({ project: text.optional() }) }),
  capability_unavailable: row({
    http: 409,
    recovery: "none",
    details: z.object({ reason: text.optional(), platform: text.optional() }),
  }),
  project_unavailable: row({ http: 409, recovery: "none", details: z.object({ project: text.optional() }) }),
  runner_unavailable: row({ http: 409, recovery: "retry_later", details: z.object({ client_id: text.optional() }) }),
  project_busy: row({ http: 409, recovery: "retry_later", details: z.object({ jobs: count }) }),
  revision_conflict: row({ http: 409, recovery: "reobserve", details: z.object({ expected: count, actual: count }) }),
  project_exists: row({ http: 400, recovery: "fix_input", details: z.object({ project: text }) }),
  path_not_allowed: row({ http: 400, recovery: "fix_input", details: z.object({ allowed_roots: strings.optional() }) }),
  path_not_found: row({ http: 400, recovery: "fix_input" }),
  confirmation_required: row({ http: 400, recovery: "fix_input" }),
  idempotency_conflict: row({
    http: 409,
    recovery: "fix_input",
    details: z.object({
      job_id: text.optional(),
      call_id: text.optional(),
      message_id: text.optional(),
      answer_message_id: text.optional(),
    }),
  }),
  storage_unavailable: row({ http: 503, recovery: "retry_later" }),
  deadline_exceeded: row({ http: 200, recovery: "reobserve", alsoRecovery: "retry_same" }),
  cancelled: row({ http: 200, recovery: "none", details: z.object({ by: text.optional() }) }),
  interrupted: row({ http: 200, recovery: "retry_same" }),
  outcome_unknown: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ reason: text.optional(), job_id: text.optional() }),
  }),
  internal_error: row({ http: 500, recovery: "reobserve" }),
  // Only what pipeline step 4c can answer while no domain knows a Chat Session (bindings.md).
  chat_session_id_invalid: row({ http: 400, recovery: "fix_input" }),
  chat_session_unknown: row({ http: 404, recovery: "fix_input" }),
} as const
