// Generated from the tool definitions by `npm run generate`; do not edit.

/** Tools that take a Workflow Session as `session_id`. */
export type SessionToolName =
  | "session_summary"
  | "update_session_context"
  | "close_session"
  | "post_session_message"
  | "observe_session_messages"
  | "resolve_session_message"
  | "list_session_messages"
  | "get_session_assignment"
  | "session_discussion_summary"
  | "complete_session_message"
  | "work_on_project"
  | "run_process"
  | "run_script"
  | "run_shell"
  | "run_job"
  | "run_detached_process"
  | "open_session_shell"
  | "session_shell_exec"
  | "session_shell_status"
  | "close_session_shell"
  | "project_overview"
  | "read_files"
  | "search_project_texts"
  | "apply_text_edits"
  | "git_status"
  | "git_diff"

/** Only observe: nothing of them can be left half done. */
export const OBSERVING_TOOLS = "lfe2ly9fd20rugt7han8861ix3zzh4y4i8ntcl0j1327eorr7lu8rjuvirl5zlr8lu"

/** Take a Session, but no `project`. */
export const TOOLS_WITHOUT_PROJECT = "ugtor37lrn880gb61ix3zzh48yg"

/** Error kinds that the HTTP gate gives before a call reaches the kernel. */
export const GATE_KINDS = "3v6ixg6w0b1ailyby7vofjow1bv1en0h5"
