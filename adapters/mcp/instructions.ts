/** What every host is told once (spec doors.md §4.4): ≤ 1,200 characters, the first 512 enough alone. */
export const INSTRUCTIONS = [
  "Ids are explicit: name project, session_id and job_id on each call that takes them; nothing is remembered or guessed between calls.",
  "Start with list_projects or work_on_project. A result is {success, output} or {success:false, error:{kind, message, recovery}}.",
  "A long command returns a job_id while it runs on: read it with observe_jobs or job_log, end it with stop_job.",
  "Cut output says how to get the rest.",
  "recording_session_id, beside a tool's own fields, names a Workflow Session whose ledger records the call; session_id, where a tool has it, names the one that the tool works in. ack_session_message_ids, where offered, names messages of attached.session_attention that you still hold: this reply then leaves them out.",
  "recovery says what helps: fix_input = other arguments; reobserve = read again, then decide; retry_same = the identical call; retry_later = it after retry_after_ms; reauthorize = other authority; none = nothing.",
  "Tools that are not listed: find them with list_tools, run them by call_read_tool (reading) or call_tool (anything), arguments as JSON text.",
].join(" ")
