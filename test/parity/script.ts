import type { Base } from "./base.ts"

/** One call of the script. */
export interface Step {
  /** What it shows. */
  readonly shows: string
  readonly tool: string
  readonly input: object
  readonly recorder?: string
  /** `reader` may only read; else the local principal. */
  readonly as?: "reader"
  /** Kind of the error that it must give; absent: it succeeds. */
  readonly fails?: string
}

const REPEATED = `"quoted" \\\\ and \\t control`
const ASTRAL = "𝒳 😀 👩‍👩‍👧 é\n"

/** The same calls for every door: each effect, each way to fail, a hand-over (spec doors.md §9). */
export function script({ sessions }: Pick<Base, "sessions">): readonly Step[] {
  const { business, recorder, handed, closed, readOnly, foreign } = sessions
  const project = "demo"
  const here = { project, session_id: business }
  const read = { items: [{ path: "notes.txt" }] }
  const job_id = jobOf(HANDED_JOB)
  return [
    { shows: "observe, no target", tool: "list_projects", input: {} },
    { shows: "observe in a Session, recorded in another", tool: "read_files", input: { ...here, ...read }, recorder },
    { shows: "recorder and business are one", tool: "git_status", input: here, recorder: business },
    { shows: "mutate, store only", tool: "start_session", input: { project, title: "Ünïcode 😀 title" }, recorder },
    {
      shows: "mutate, workspace, astral characters",
      tool: "apply_text_edits",
      input: { ...here, include_diff: true, changes: [{ kind: "create", path: "astral.txt", content: ASTRAL }] },
    },
    { shows: "astral characters back", tool: "read_files", input: { ...here, items: [{ path: "astral.txt" }] } },
    { shows: "execute", tool: "run_shell", input: { ...here, command: "cat astral.txt; echo err >&2" } },
    {
      shows: "execute fails",
      tool: "run_shell",
      input: { ...here, command: "echo no; exit 3" },
      recorder,
      fails: "process_exit",
    },
    {
      shows: "a tool fails",
      tool: "read_files",
      input: { ...here, items: [{ path: "absent.txt" }] },
      fails: "all_items_failed",
    },
    {
      shows: "an edit finds nothing",
      tool: "apply_text_edits",
      input: { ...here, changes: [{ kind: "edit", path: "notes.txt", edits: [replacing("delta")] }] },
      fails: "match_not_found",
    },
    { shows: "wrong type", tool: "run_shell", input: { project, command: 7 }, fails: "invalid_arguments" },
    {
      shows: "unknown field",
      tool: "run_shell",
      input: { project, comand: "true" },
      recorder,
      fails: "invalid_arguments",
    },
    {
      shows: "over-long input",
      tool: "start_session",
      input: { title: "x".repeat(5_000) },
      fails: "invalid_arguments",
    },
    {
      shows: "missing scope",
      tool: "run_shell",
      input: { project, command: "true" },
      as: "reader",
      fails: "insufficient_scope",
    },
    {
      shows: "unknown tool",
      tool: "call_tool",
      input: { tool: "list_project", arguments_json: "{}" },
      fails: "unknown_tool",
    },
    {
      shows: "unknown Session",
      tool: "session_summary",
      input: { session_id: "wc_sess_AAAAAAAAAAAAAAAA" },
      fails: "unknown_session_id",
    },
    { shows: "unknown Project", tool: "git_diff", input: { project: "absent" }, fails: "project_not_found" },
    {
      shows: "closed Session",
      tool: "apply_text_edits",
      input: { project, session_id: closed, changes: [{ kind: "create", path: "no.txt", content: "" }] },
      fails: "session_closed",
    },
    {
      shows: "read-only Session",
      tool: "run_shell",
      input: { project, session_id: readOnly, command: "true" },
      fails: "session_guard_denied",
    },
    {
      shows: "foreign Session",
      tool: "session_summary",
      input: { session_id: foreign },
      fails: "session_authority_denied",
    },
    {
      shows: "Project mismatch",
      tool: "read_files",
      input: { project: "other", session_id: business, ...read },
      fails: "session_project_mismatch",
    },
    {
      shows: "over-long output",
      tool: "run_shell",
      input: { ...here, command: `for i in $(seq 1 9000); do printf '%s %s\\n' "$i" '${REPEATED}'; done` },
    },
    { shows: "output that escaping blows up", tool: "t_big", input: { unit: "\0", times: 100_000 } },
    {
      shows: "hand-over",
      tool: "run_shell",
      input: { project, session_id: handed, command: "sleep 4; echo done" },
      recorder,
    },
    {
      shows: "its end",
      tool: "observe_jobs",
      input: { items: [{ job_id }], wake_on: "terminal", wait_secs: 10 },
    },
    { shows: "search", tool: "search_project_texts", input: { ...here, queries: [{ pattern: "be.a" }] } },
    { shows: "a gateway", tool: "call_read_tool", input: { tool: "git_diff", arguments_json: JSON.stringify(here) } },
    { shows: "work begins", tool: "work_on_project", input: { project, instruction: "Look around." } },
    { shows: "a ledger read back", tool: "session_summary", input: { session_id: recorder } },
    { shows: "close", tool: "close_session", input: { session_id: business } },
    { shows: "close again", tool: "close_session", input: { session_id: business } },
  ]
}

/** Which Job of the script is handed over; ids count. */
const HANDED_JOB = 4

const jobOf = (count: number): string => `wc_job_02${count.toString(16).padStart(30, "0")}`
const replacing = (old_text: string) => ({ kind: "replace_exact", old_text, new_text: "x" })
