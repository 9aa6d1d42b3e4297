import type { Surface } from "../../core/kernel/definition.ts"
import type { WrapperName } from "../../core/kernel/wrapper.ts"

/** What an endpoint has, of which its instructions speak. */
export interface Told {
  readonly surface: Surface
  /** Published names of its list, gateways too. */
  readonly tools: ReadonlySet<string>
  /** Fields that its era takes beside a tool's own. */
  readonly wrapper: readonly WrapperName[]
}

/**
 * What every host of an endpoint is told once (spec doors.md §4.4): ≤ 1,200 characters, the first 512 enough alone. It names
 * nothing that the endpoint does not have, and is the same for all who use it.
 */
export function instructionsOf(told: Told): string {
  if (told.tools.size === 0) {
    return `The surface ${told.surface} has no tools in this version. Use another one: coding, shell or full.`
  }
  return SENTENCES.map((sentence) => sentence(told))
    .filter((text) => text !== undefined)
    .join(" ")
}

type Sentence = (told: Told) => string | undefined

/** A text where all of the tools that it names are there. */
const where =
  (names: readonly string[], text: string): Sentence =>
  ({ tools }) =>
    names.every((name) => tools.has(name)) ? text : undefined

const SENTENCES: readonly Sentence[] = [
  () =>
    "Ids are explicit: name a project, session_id or job_id on each call that takes it; nothing is remembered or guessed between calls.",
  where(["list_projects", "work_on_project"], "Start with list_projects or work_on_project."),
  where(["session_create", "session_exec"], "session_create opens a live shell, and session_exec runs commands in it."),
  () => "A result is {success, output} or {success:false, error:{kind, message, recovery}}.",
  where(
    ["observe_jobs", "job_log", "stop_job"],
    "A long command returns a job_id while it runs on: read it with observe_jobs or job_log, end it with stop_job.",
  ),
  () => "Cut output says how to get the rest.",
  () =>
    "recording_session_id, beside a tool's own fields, names a Workflow Session whose ledger records the call; an own session_id names what the tool works in.",
  ({ wrapper }) =>
    wrapper.includes("ack_session_message_ids")
      ? "ack_session_message_ids, beside them too, names messages of attached.session_attention that you still hold: this reply then leaves them out."
      : undefined,
  () =>
    "recovery says what helps: fix_input = other arguments; reobserve = read again, then decide; retry_same = the identical call; retry_later = it after retry_after_ms; reauthorize = other authority; none = nothing.",
  where(
    ["call_read_tool", "call_tool", "list_tools"],
    "Tools that are not listed: find them with list_tools, run them by call_read_tool (reading) or call_tool (anything), arguments as JSON text.",
  ),
]
