/** An acceptance case that no test here proves yet, and the work that brings it. */
export interface LeftOut {
  readonly id: string
  /** The part that is left out, where a part is proven. */
  readonly part?: string
  readonly brings: string
}

const audit = "the audit tables and rows"
const validators = "the structured validators"
const memory = "Project Memory"
const oauth = "OAuth"
const soak = "a longer run: npm run soak, HOLDFAST_FULL=1"

/**
 * Acceptance cases of kernel.md §17 (K), doors.md §10 (D), sessions.md §10 (S), messages.md §11 (M), exec-and-jobs.md §13 (J) and
 * shells.md §17 (L) that are left out, whole or in part.
 */
export const LEFT_OUT: readonly LeftOut[] = [
  { id: "K5", brings: oauth },
  { id: "K14", part: "the audit row", brings: audit },
  { id: "K15", part: "memory_set; apply_text_edits stands for it", brings: memory },
  { id: "K17", brings: "the tools of the later domains" },
  { id: "K19", part: "git_log; git_status stands for it", brings: "the other git tools" },
  { id: "K20", brings: "Runs" },
  { id: "K23", part: "the audit row", brings: audit },
  { id: "K38", part: "the hand-over step", brings: "session_handoff_summary" },
  { id: "K44", part: "memory_search", brings: memory },
  { id: "D17", part: "/api/audit/sessions; /api/tokens/list stands for it", brings: audit },
  { id: "D34", part: "30 operations, G8", brings: "the tools of the later domains" },
  { id: "D37", part: "the audit row", brings: audit },
  { id: "D39", part: "Memory's field", brings: memory },
  { id: "D64", brings: "the browser stage" },
  { id: "D67", part: "Bun", brings: "the browser and Bun stage" },
  { id: "D69", brings: oauth },
  { id: "S11", part: "run_validator", brings: validators },
  { id: "S12", part: "run_validator; run_shell stands for it", brings: validators },
  { id: "S15", part: "memory_set", brings: memory },
  { id: "S16", part: "run_validator; run_shell stands for it", brings: validators },
  { id: "S30", part: "git_commit_paths", brings: "the other git tools" },
  { id: "J3", part: "ten servers; three are killed in turn", brings: soak },
  { id: "J6", part: "50 times; 16 at once", brings: soak },
  { id: "J21", part: "600 MB and the server's memory; 200 MB", brings: soak },
  { id: "J22", part: "200 of node; 80 of bash", brings: soak },
  { id: "J40", part: "stop_chat_session", brings: "Chat Sessions" },
  { id: "J42", part: "ten servers, 1,000 Jobs; three servers are killed in turn", brings: soak },
  { id: "J43", part: "the limit of processes; a missing mkfifo stands for it", brings: "a user of the test's own" },
  { id: "J44", part: "5,000; 200", brings: soak },
  { id: "L44", part: "500 kills; 5", brings: soak },
  { id: "L55", part: "5,000 and 500; 300", brings: soak },
  {
    id: "L58",
    part: "a docker daemon; podman where it runs, a stand-in for the docker command",
    brings: "a machine with a daemon",
  },
  { id: "L61", part: "200 shells × 50 commands; 24 × 12", brings: soak },
]
