import { z } from "zod"

/**
 * What a caller may usefully do after an error (spec kernel.md §6): send other arguments, read again and decide,
 * send the identical call again, send it later, get other authority, or nothing.
 */
export const RECOVERIES = ["fix_input", "reobserve", "retry_same", "retry_later", "reauthorize", "none"] as const
/** One of `RECOVERIES`. */
export type Recovery = (typeof RECOVERIES)[number]

/** How far an execution got when a call ended in an error (spec kernel.md §6). */
export const EXECUTION_STATES = [
  "not_started",
  "running",
  "completed",
  "timed_out",
  "cancelled",
  "outcome_unknown",
] as const
/** One of `EXECUTION_STATES`. */
export type ExecutionState = (typeof EXECUTION_STATES)[number]

interface ErrorRow {
  /** HTTP status when the call was refused before its handler was entered; from the handler on it is 200. */
  readonly http: number
  readonly recovery: Recovery
  /** The few kinds whose recovery depends on the effect or on a member of `details` list the other one here. */
  readonly alsoRecovery?: Recovery
  /** Closed shape of `details`; a kind without it has none. */
  readonly details?: z.ZodObject
}

const row = <const R extends ErrorRow>(definition: R): R => definition

const text = z.string()
const count = z.number().int()
const strings = z.array(text)
const role = z.enum(["recorder", "business"])
const path = { path: text.optional(), index: count.optional(), change_index: count.optional() }
const near = z.array(z.object({ start_line: count, end_line: count, difference: text }))
const candidates = z.array(z.object({ occurrence: count, start_line: count, end_line: count }))
const failures = z.array(z.object({ change_index: count, kind: text, message: text, path: text.optional() }))
const edit = { ...path, edit_index: count.optional(), failures: failures.optional() }
const match = {
  ...edit,
  match_count: count.optional(),
  requested_occurrence: count.optional(),
  candidates: candidates.optional(),
  candidates_truncated: z.boolean().optional(),
}
const onPath = z.object(edit)
const survivors = z.array(z.object({ pid: count, started_at: z.number(), command: text }))

/**
 * The closed table of everything that can go wrong: HTTP status, recovery and shape of `details` per kind
 * (spec kernel.md §6, doors.md §2.3, sessions.md §7, messages.md §8, workflow.md §12, exec-and-jobs.md §10, files-and-git.md §6).
 */
export const ERROR_KINDS = {
  // The kernel
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

  // The doors (doors.md §2.3)
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

  // Workflow Sessions (sessions.md §7) and the coding workflow (workflow.md §12)
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

  // The message board (messages.md §8)
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

  // Execution and Jobs (exec-and-jobs.md §10, shells.md §7)
  process_exit: row({
    http: 200,
    recovery: "none",
    details: z.object({ exit_code: count.nullable(), signal: text.optional() }),
  }),
  timed_out: row({
    http: 200,
    recovery: "none",
    details: z.object({ after_ms: z.number(), survivors: survivors.optional() }),
  }),
  executable_not_found: row({ http: 200, recovery: "fix_input" }),
  not_executable: row({ http: 200, recovery: "fix_input" }),
  interpreter_unavailable: row({ http: 200, recovery: "fix_input", details: z.object({ language: text }) }),
  use_run_shell: row({ http: 200, recovery: "fix_input" }),
  cwd_invalid: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ reason: z.enum(["missing", "not_directory", "outside", "denied"]) }),
  }),
  env_name_reserved: row({ http: 200, recovery: "fix_input", details: z.object({ name: text }) }),
  spawn_failed: row({
    http: 200,
    recovery: "retry_later",
    alsoRecovery: "fix_input",
    details: z.object({ code: text }),
  }),
  job_limit_reached: row({ http: 200, recovery: "retry_later", details: z.object({ running: count, queued: count }) }),
  job_not_found: row({ http: 200, recovery: "reobserve" }),
  observation_token_invalid: row({ http: 200, recovery: "fix_input" }),
  budget_invalid: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ field: text, reason: text.optional() }),
  }),
  output_evicted: row({ http: 200, recovery: "none", details: z.object({ finished_at: z.number() }) }),

  // Live shells (shells.md §14)
  shell_not_found: row({ http: 200, recovery: "fix_input" }),
  checkpoint_not_found: row({ http: 200, recovery: "fix_input" }),
  shell_busy: row({
    http: 200,
    recovery: "retry_later",
    details: z.object({ job_id: text.optional(), running_ms: z.number().optional(), waiting: count }),
  }),
  shell_closed: row({ http: 200, recovery: "none", details: z.object({ reason: text, closed_at: z.number() }) }),
  shell_lost: row({ http: 200, recovery: "none", details: z.object({ reason: text, last_cwd: text.optional() }) }),
  shell_reset_required: row({ http: 200, recovery: "reobserve", details: z.object({ reason: text }) }),
  shell_exited: row({
    http: 200,
    recovery: "none",
    details: z.object({ exit_code: count.nullable(), signal: text.optional() }),
  }),
  shell_limit_reached: row({ http: 200, recovery: "reobserve", details: z.object({ max: count }) }),
  shell_already_open: row({ http: 200, recovery: "reobserve", details: z.object({ shell_id: text }) }),
  shell_start_failed: row({
    http: 200,
    recovery: "fix_input",
    alsoRecovery: "retry_later",
    details: z.object({ phase: text, detail: text.optional() }),
  }),
  ssh_failed: row({
    http: 200,
    recovery: "fix_input",
    alsoRecovery: "retry_later",
    details: z.object({ phase: z.enum(["resolve", "connect", "host_key", "auth", "remote_dir", "shell"]) }),
  }),
  ssh_auth_required: row({ http: 200, recovery: "fix_input" }),
  shell_cwd_lost: row({ http: 200, recovery: "reobserve", details: z.object({ old_cwd: text, cwd: text }) }),
  shell_cwd_denied: row({ http: 200, recovery: "fix_input", details: z.object({ cwd: text }) }),
  fence_denied: row({ http: 200, recovery: "none", details: z.object({ rule: text, program: text.optional() }) }),
  host_key_changed: row({
    http: 200,
    recovery: "none",
    details: z.object({ host: text, file: text, line: count }),
  }),
  host_key_unknown: row({ http: 200, recovery: "none" }),
  key_unavailable: row({ http: 200, recovery: "none" }),
  container_not_found: row({ http: 200, recovery: "fix_input" }),
  container_not_running: row({ http: 200, recovery: "fix_input", details: z.object({ state: text }) }),
  checkpoint_unsupported: row({
    http: 200,
    recovery: "none",
    details: z.object({ reason: z.enum(["local", "no_workspace", "no_git"]) }),
  }),

  // Files, search, edits, git (files-and-git.md §6)
  invalid_path: row({ http: 200, recovery: "fix_input", details: z.object({ ...edit, reason: text }) }),
  path_twin: row({ http: 200, recovery: "fix_input", details: z.object({ ...edit, existing: text }) }),
  is_symlink: row({ http: 200, recovery: "fix_input", details: onPath }),
  not_regular_file: row({ http: 200, recovery: "fix_input", details: z.object({ ...edit, type: text }) }),
  not_directory: row({ http: 200, recovery: "fix_input", details: onPath }),
  file_too_large: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, size_bytes: z.number(), limit_bytes: z.number() }),
  }),
  binary_file: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, size_bytes: z.number(), sha256: text.optional() }),
  }),
  unsupported_encoding: row({ http: 200, recovery: "fix_input", details: onPath }),
  encoding_mismatch: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, detected: text.optional() }),
  }),
  unencodable_text: row({ http: 200, recovery: "fix_input", details: z.object({ ...edit, codepoint: text }) }),
  redaction_marker: row({ http: 200, recovery: "fix_input", details: onPath }),
  invalid_pattern: row({ http: 200, recovery: "fix_input", details: z.object({ ...path, offset: count.optional() }) }),
  invalid_glob: row({ http: 200, recovery: "fix_input", details: z.object({ ...path, reason: text }) }),
  overlapping_edits: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, other_edit_index: count }),
  }),
  overlapping_changes: row({
    http: 200,
    recovery: "fix_input",
    details: z.object({ ...edit, other_change_index: count.optional() }),
  }),
  unknown_revision: row({ http: 200, recovery: "fix_input", details: z.object({ field: text.optional() }) }),
  not_found: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ ...edit, dangling_symlink: z.boolean().optional(), did_you_mean: strings.optional() }),
  }),
  path_exists: row({ http: 200, recovery: "reobserve", details: z.object({ ...edit, sha256: text.optional() }) }),
  match_not_found: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ ...match, near: near.optional() }),
  }),
  multiple_matches: row({ http: 200, recovery: "reobserve", details: z.object(match) }),
  occurrence_out_of_range: row({ http: 200, recovery: "reobserve", details: z.object(match) }),
  sha256_mismatch: row({ http: 200, recovery: "reobserve", details: z.object({ ...edit, actual_sha256: text }) }),
  snapshot_changed: row({ http: 200, recovery: "reobserve" }),
  changed_during_read: row({ http: 200, recovery: "retry_same", details: onPath }),
  path_changed: row({ http: 200, recovery: "retry_same", details: onPath }),
  workspace_busy: row({ http: 200, recovery: "retry_later" }),
  git_index_locked: row({ http: 200, recovery: "retry_later" }),
  storage_full: row({
    http: 200,
    recovery: "retry_later",
    details: z.object({ rollback_complete: z.boolean().optional() }),
  }),
  path_escapes_root: row({ http: 200, recovery: "none", details: onPath }),
  symlink_loop: row({ http: 200, recovery: "none", details: onPath }),
  protected_path: row({ http: 200, recovery: "none", details: onPath }),
  sensitive_path: row({ http: 200, recovery: "none", details: onPath }),
  guard_denied: row({ http: 403, recovery: "none", details: onPath }),
  file_access_denied: row({
    http: 200,
    recovery: "none",
    details: z.object({ ...edit, errno: text.optional(), reason: text.optional() }),
  }),
  not_git_project: row({ http: 200, recovery: "none", details: z.object({ repository_above: z.boolean() }) }),
  git_unavailable: row({ http: 200, recovery: "none" }),
  git_too_old: row({ http: 200, recovery: "none", details: z.object({ version: text }) }),
  git_unsafe_ownership: row({ http: 200, recovery: "none" }),
  all_items_failed: row({ http: 200, recovery: "fix_input" }),
  search_failed: row({ http: 200, recovery: "reobserve", details: z.object({ reason: text.optional() }) }),
  git_failed: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ exit_code: count.nullable(), stderr_tail: text }),
  }),
  edit_failed: row({
    http: 200,
    recovery: "reobserve",
    details: z.object({ errno: text.optional(), rollback_complete: z.boolean() }),
  }),

  // Chat Sessions (bindings.md): only what pipeline step 4c can answer while no domain knows one.
  chat_session_id_invalid: row({ http: 400, recovery: "fix_input" }),
  chat_session_unknown: row({ http: 404, recovery: "fix_input" }),
} as const satisfies Record<string, ErrorRow>

/** Every error kind that can leave Holdfast. */
export type ErrorKind = keyof typeof ERROR_KINDS

/** The `details` of a kind; `undefined` for a kind that has none. */
export type ErrorDetails<K extends ErrorKind> = K extends ErrorKind
  ? (typeof ERROR_KINDS)[K] extends { readonly details: infer S extends z.ZodObject }
    ? z.input<S>
    : undefined
  : never

/** All kinds, in table order. */
export const errorKinds: readonly ErrorKind[] = Object.keys(ERROR_KINDS).filter(
  (kind): kind is ErrorKind => kind in ERROR_KINDS,
)

/** Kinds of the HTTP gate (spec doors.md §2.2): the request never reached the kernel, so no ToolResult exists. */
export const gateKinds: readonly ErrorKind[] = [
  "host_denied",
  "origin_denied",
  "route_not_found",
  "method_not_allowed",
  "unauthenticated",
  "unsupported_media_type",
  "payload_too_large",
  "invalid_json",
  "rate_limited",
  "shutting_down",
  "idempotency_key_invalid",
]

/** HTTP status of a call refused with this kind before its handler was entered (spec kernel.md §6). */
export const httpStatusOf = (kind: ErrorKind): number => ERROR_KINDS[kind].http

/** Default recovery of a kind (spec kernel.md §6). */
export const recoveryOf = (kind: ErrorKind): Recovery => ERROR_KINDS[kind].recovery
