import type { StartedCall } from "./execute.ts"
import { expectationMember } from "./expectation.ts"
import { timeUp } from "./log.ts"
import { exitOf } from "./outcome.ts"
import { outcomeView, type StartOutput } from "./output-schema.ts"
import { sourceOf } from "./reading.ts"
import type { Job, Outcome, StreamName, StreamTotals } from "./record.ts"
import { viewStreams } from "./result-view.ts"
import type { RunFacts } from "./runner.ts"
import { isTerminal } from "./states.ts"

const MAX_NAMED = 8

/** A result, and up to where it has shown each stream. */
export interface ShownStart {
  readonly output: StartOutput
  readonly offsets: Readonly<Record<StreamName, number>>
}

/** The result of a start as its caller gets it (spec exec-and-jobs.md §3); what is plain is left out. */
export async function startOutput(started: StartedCall, job: Job, facts: RunFacts): Promise<ShownStart> {
  const { runner, execution } = started
  const stdout = await sourceOf(runner, job.jobId, "stdout")
  const stderr = await sourceOf(runner, job.jobId, "stderr")
  const { truncated, ...views } = await viewStreams({
    sources: { stdout, stderr },
    totals: facts.totals,
    budget: execution.budget,
    until: timeUp(started.call),
  })
  const terminal = isTerminal(job.status)
  const output: StartOutput = {
    job_id: job.jobId,
    status: job.status,
    terminal,
    execution_state: terminal ? job.executionState : "running",
    ...outcomeMembers(job.outcome),
    ...views,
    ...(truncated || !terminal ? totalsOf(facts.totals) : {}),
    truncated,
    timed_out: job.outcome?.kind === "timed_out",
    duration_ms: durationOf(started, facts),
    cwd: started.cwd,
    ...(terminal && execution.timeoutMs === execution.defaultTimeoutMs
      ? {}
      : { effective_timeout_secs: Math.round(execution.timeoutMs / 1000) }),
    ...(terminal ? {} : liveMembers(started, facts)),
    ...(facts.queuedMs === undefined ? {} : { queued_ms: facts.queuedMs }),
    ...processMembers(facts),
    ...expectationMember(job),
    ...(job.recovered ? { recovered: true } : {}),
    ...(facts.outputGap ? { output_gap: true } : {}),
  }
  return { output, offsets: { stdout: stdout.total, stderr: stderr.total } }
}

function outcomeMembers(outcome: Outcome | undefined): Pick<StartOutput, "outcome" | "exit_code" | "signal"> {
  const exit = exitOf(outcome)
  return outcome === undefined || exit.exit_code === 0 ? exit : { ...exit, outcome: outcomeView(outcome) }
}

function totalsOf(totals: RunFacts["totals"]): Pick<StartOutput, "bytes_total" | "lines_total"> {
  const each = (member: keyof StreamTotals) => ({ stdout: totals.stdout[member], stderr: totals.stderr[member] })
  return { bytes_total: each("bytes_total"), lines_total: each("lines_total") }
}

function durationOf({ call }: StartedCall, facts: RunFacts): number {
  if (facts.startedAt === undefined) return 0
  return Math.max(0, (facts.finishedAt ?? call.now()) - facts.startedAt)
}

function liveMembers({ shell, job }: StartedCall, facts: RunFacts): Partial<StartOutput> {
  const { queuePosition, tracking } = facts
  return {
    promoted_to_job: true,
    executor: job.resource === undefined ? { kind: "local", label: "local" } : { kind: "ssh", label: job.resource },
    ...(shell === undefined ? {} : { shell }),
    ...(queuePosition === undefined ? {} : { queue_position: queuePosition }),
    tracking,
  }
}

function processMembers({ endedBackground, background, survivors }: RunFacts): Partial<StartOutput> {
  return {
    ...(endedBackground.length === 0
      ? {}
      : { ended_background: endedBackground.slice(0, MAX_NAMED), ended_background_total: endedBackground.length }),
    ...(background.length === 0
      ? {}
      : { background: background.slice(0, MAX_NAMED), background_total: background.length }),
    ...(survivors.length === 0 ? {} : { survivors: survivors.slice(0, MAX_NAMED), survivors_total: survivors.length }),
  }
}
