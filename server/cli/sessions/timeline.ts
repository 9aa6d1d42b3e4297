import type { EventView } from "../../../core/ledger/event-view.ts"
import type { ExecutionContext } from "../../../core/sessions/record.ts"
import type { Look, Paint } from "./paint.ts"
import { oneLine, timeText } from "./paint.ts"

const SEQ_WIDTH = 6
const MAX_PROSE = 100
const MAX_PATHS = 3

type Finished = Extract<EventView, { kind: "tool_call_finished" }>

interface Entry {
  readonly look: Look
  readonly text: string
}

/** An event as one line of a timeline: number, time, what happened. */
export function timelineLine(event: EventView, paint: Paint): string {
  const { look, text } = entryOf(event)
  const time = "at" in event ? timeText(event.at) : "-".padEnd(19)
  return `${paint("dim", `${String(event.seq).padStart(SEQ_WIDTH)}  ${time}`)}  ${paint(look, oneLine(text))}`
}

function entryOf(event: EventView): Entry {
  switch (event.kind) {
    case "session_started":
      return { look: "bold", text: `Session started, ${event.mode}${titled(event.title)}` }
    case "task_instruction":
      return { look: "bold", text: `${event.resumed ? "resumed" : "task"}: ${shortened(event.instruction)}` }
    case "session_execution_context_updated":
      return { look: "plain", text: `defaults: ${contextText(event.current)}` }
    case "session_closed":
      return { look: "bold", text: `Session closed${stillOn(event.open_calls, event.running_jobs)}` }
    case "tool_call_started":
      return { look: "dim", text: `${event.tool_name} began${roleText(event.role)}` }
    case "tool_call_finished":
      return finished(event)
    case "job_finished":
      return {
        look: event.exit_code === 0 ? "good" : "bad",
        text: `${event.tool_name} Job ${event.job_id} ended: ${event.outcome}${exitText(event)}`,
      }
    case "unreadable":
      return { look: "bad", text: "unreadable event" }
  }
}

const titled = (title: string | undefined): string => (title === undefined ? "" : `: ${title}`)
const roleText = (role: Finished["role"]): string => (role === "recorder" ? " (recorded here)" : "")

function shortened(prose: string): string {
  const [line = ""] = prose.split("\n")
  const characters = [...line]
  return characters.length <= MAX_PROSE && line === prose ? line : `${characters.slice(0, MAX_PROSE).join("")}…`
}

function contextText({
  default_cwd,
  default_shell,
  resource,
}: { readonly [Key in keyof ExecutionContext]: unknown }): string {
  const set = Object.entries({ cwd: default_cwd, shell: default_shell, resource })
  const parts = set.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${String(value)}`]))
  return parts.length === 0 ? "none" : parts.join(", ")
}

function stillOn(calls: number, jobs: number): string {
  return calls + jobs === 0 ? "" : `; still going on: ${calls} calls, ${jobs} Jobs`
}

function exitText({
  exit_code,
  signal,
}: {
  readonly exit_code?: number | null | undefined
  readonly signal?: string | undefined
}) {
  if (signal !== undefined) return ` ${signal}`
  return typeof exit_code === "number" ? ` exit ${exit_code}` : ""
}

function finished(event: Finished): Entry {
  const how = event.status === "succeeded" ? "ok" : `FAILED ${event.error?.kind ?? ""}`
  const changed = pathsText("changed", event.changed_paths, event.changed_total)
  const observed = pathsText("read", event.observed_paths, event.observed_total)
  const job = event.job_id === undefined ? "" : ` ${event.job_id}`
  const recovered = event.recovered === true ? ", told by recovery" : ""
  return {
    look: event.status === "succeeded" ? "good" : "bad",
    text: `${event.tool_name} ${how}${exitText(event)}${job} in ${Math.round(event.duration_ms)} ms${changed}${observed}${recovered}${roleText(event.role)}`,
  }
}

function pathsText(verb: string, paths: readonly string[], total: number): string {
  if (total === 0) return ""
  const shown = paths.slice(0, MAX_PATHS)
  const more = total - shown.length
  return `, ${verb} ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}
