import type { JobStatus } from "../../../core/jobs/record.ts"
import type { SessionId } from "../../../core/kernel/ids.ts"
import { readSession } from "../../../core/sessions/read.ts"
import { type SessionSummary, summarise } from "../../../core/sessions/summary.ts"
import { table } from "../terminal.ts"
import type { SessionDesk } from "./desk.ts"
import type { Paint } from "./paint.ts"
import { oneLine, timeText } from "./paint.ts"
import { timelineLine } from "./timeline.ts"

/** Calls and Jobs that are named. */
const MAX_NAMED = 5

/** A Session as the operator sees it. */
export interface OperatorSummary extends SessionSummary {
  readonly owner: string
  /** Its Jobs that have not ended. */
  readonly live_jobs: readonly { readonly job_id: string; readonly tool: string; readonly status: JobStatus }[]
}

/** The summary of any Session. @throws ToolError `unknown_session_id`, `session_unreadable` */
export async function readSummary(
  { store, ids, ledger, ownerKind }: SessionDesk,
  sessionId: SessionId,
  limit: number,
): Promise<OperatorSummary> {
  return await store.read(async (tx) => {
    const { ownerFingerprint } = await readSession(tx, sessionId)
    const summary = await summarise(tx, { invocationId: ids.invocation(), ports: { ledger } }, { sessionId, limit })
    const title = summary.title === undefined ? {} : { title: ledger.redact(summary.title) }
    const live = await tx.jobs.active({ sessionId })
    const live_jobs = live.map(({ jobId, tool, status }) => ({ job_id: jobId, tool, status }))
    return { ...summary, ...title, owner: ownerKind(ownerFingerprint), live_jobs }
  })
}

/** The summary as facts and a timeline, oldest first. */
export function summaryText(summary: OperatorSummary, paint: Paint): string {
  const facts = table(
    ["", ""],
    factsOf(summary).map(([name, value]) => [name, oneLine(value)]),
  )
    .split("\n")
    .slice(1)
  const events = summary.events.toReversed().map((event) => timelineLine(event, paint))
  const older = summary.events_truncated ? [paint("dim", "older events: holdfast sessions tail --lines")] : []
  return [paint("bold", summary.session_id), ...facts, "", ...older, ...events].join("\n")
}

function factsOf(summary: OperatorSummary): readonly (readonly [string, string])[] {
  const { counts, guards, open_calls } = summary
  const held = `${summary.events_retained} of ${summary.events_total}`
  const unreadable = summary.unreadable_events === 0 ? "" : `, ${summary.unreadable_events} unreadable`
  const refused = Object.entries(guards).flatMap(([name, isOn]) => (isOn ? [name] : []))
  const defaults = Object.entries(summary.execution_context).map(([name, value]) => `${name} ${value}`)
  return [
    ["title", summary.title ?? "-"],
    ["project", `${summary.project ?? "-"}${summary.project_unregistered === true ? " (unregistered)" : ""}`],
    ["owner", summary.owner],
    ["state", `${summary.lifecycle}, ${summary.mode}${refused.length === 0 ? "" : `, ${refused.join(", ")}`}`],
    ["defaults", defaults.length === 0 ? "-" : defaults.join(", ")],
    ["started", timeText(summary.created_at)],
    ["last change", timeText(summary.updated_at)],
    ["closed", summary.closed_at === undefined ? "-" : timeText(summary.closed_at)],
    ["events held", `${held}${unreadable}`],
    [
      "calls",
      `${counts.tool_calls}: ${counts.succeeded} ok, ${counts.failed} failed (${counts.refused} refused, ${counts.outcome_unknown} with unknown outcome)`,
    ],
    ["in flight", callsText(open_calls)],
    ["live Jobs", jobsText(summary.live_jobs)],
    ["board", boardText(summary.board)],
    ["repository", summary.repository_edited ? "edited" : "not edited"],
  ]
}

/** The first few of a list, and how many there are. */
function listed(total: number, names: readonly string[]): string {
  if (total === 0) return "0"
  const shown = names.slice(0, MAX_NAMED)
  const more = total > shown.length ? [`${total - shown.length} more`] : []
  return `${total}: ${[...shown, ...more].join(", ")}`
}

/** A call that handed its command over is none any more: its Job goes on. */
const callsText = ({ total, items }: SessionSummary["open_calls"]): string =>
  listed(
    total,
    items.map(({ tool_name }) => tool_name),
  )

const jobsText = (jobs: OperatorSummary["live_jobs"]): string =>
  listed(
    jobs.length,
    jobs.map(({ job_id, tool, status }) => `${tool} ${job_id} (${status})`),
  )

/** What waits on its message board. */
function boardText({ retained, open_counts: open, ack_required_open: shown }: SessionSummary["board"]): string {
  const kinds = Object.entries(open).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`]))
  const waiting = kinds.length === 0 ? "nothing open" : `open: ${kinds.join(", ")}`
  const ack = shown === 0 ? "" : `, ${shown} until resolved`
  return `${waiting}${ack}; ${retained} held`
}
