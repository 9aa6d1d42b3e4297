// Generated from the tool definitions by `npm run generate`; do not edit.

/** Tools that take a Workflow Session as `session_id`. */
export type SessionToolName =
  | "session_summary"
  | "update_session_context"
  | "close_session"
  | "work_on_project"
  | "run_shell"
  | "project_overview"
  | "read_files"
  | "search_project_texts"
  | "apply_text_edits"
  | "git_status"
  | "git_diff"

/** Tools that only observe: nothing of them can be left half done. */
export const OBSERVING_TOOLS: readonly string[] = [
  "list_tools",
  "tool_manifest",
  "runtime_status",
  "list_projects",
  "session_summary",
  "list_sessions",
  "job_log",
  "observe_jobs",
  "project_overview",
  "read_files",
  "search_project_texts",
  "git_status",
  "git_diff",
]

/** Those of the tools with a Session that take no `project`. */
export const TOOLS_WITHOUT_PROJECT: readonly string[] = [
  "session_summary",
  "close_session",
]

/** Kinds that the HTTP gate gives before a call reaches the kernel. */
export const GATE_KINDS: readonly string[] = [
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
