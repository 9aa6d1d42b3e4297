import { timeUp } from "../jobs/log.ts"
import { exitOf } from "../jobs/outcome.ts"
import type { OutputBudget } from "../jobs/output/budget.ts"
import { outcomeView } from "../jobs/output-schema.ts"
import { sourceOf } from "../jobs/reading.ts"
import type { Job, StreamName, StreamTotals } from "../jobs/record.ts"
import { viewStreams } from "../jobs/result-view.ts"
import type { JobRunner, RunFacts } from "../jobs/runner.ts"
import { isTerminal } from "../jobs/states.ts"
import type { Call } from "../kernel/call.ts"
import type { ExecResult } from "./exec-schema.ts"

const MAX_NAMED = 8

/** What a view of a command is made from. */
export interface ExecViewing {
  readonly call: Call
  readonly runner: JobRunner
  readonly budget: OutputBudget | undefined
  readonly queuedMs: number
  /** Where the shell was when the command began. */
  readonly cwd: string
  readonly timeoutMs: number
}

/** A result, and up to where it has shown each stream. */
export interface ShownExec {
  readonly result: ExecResult
  readonly offsets: Readonly<Record<StreamName, number>>
}

/** The ExecResult of a command as it stands (spec shells.md §4.1). */
export async function viewExec(viewing: ExecViewing, job: Job, facts: RunFacts): Promise<ShownExec> {
  const stdout = await sourceOf(viewing.runner, job.jobId, "stdout")
  const stderr = await sourceOf(viewing.runner, job.jobId, "stderr")
  const { truncated, ...views } = await viewStreams({
    sources: { stdout, stderr },
    totals: facts.totals,
    budget: viewing.budget,
    until: timeUp(viewing.call),
  })
  const terminal = isTerminal(job.status)
  const timedOut = job.outcome?.kind === "timed_out"
  const result: ExecResult = {
    ...views,
    ...(timedOut ? { stderr: views.stderr + timeoutNote(views.stderr, viewing.timeoutMs, facts) } : {}),
    ...exitOf(job.outcome),
    duration_ms: facts.startedAt === undefined ? 0 : durationOf(viewing.call, facts.startedAt, facts.finishedAt),
    cwd: facts.shell?.cwd ?? viewing.cwd,
    truncated,
    timed_out: timedOut,
    job_id: job.jobId,
    execution_state: terminal ? job.executionState : "running",
    ...(job.outcome === undefined ? {} : { outcome: outcomeView(job.outcome) }),
    bytes_total: totalsOf(facts.totals, "bytes_total"),
    lines_total: totalsOf(facts.totals, "lines_total"),
    ...(terminal ? {} : { promoted_to_job: true }),
    ...(viewing.queuedMs > 0 ? { queued_ms: viewing.queuedMs } : {}),
    ...processMembers(facts),
    ...shellMembers(facts),
    ...(facts.outputGap ? { output_gap: true } : {}),
  }
  return { result, offsets: { stdout: stdout.total, stderr: stderr.total } }
}

function totalsOf(totals: RunFacts["totals"], member: keyof StreamTotals) {
  return { stdout: totals.stdout[member], stderr: totals.stderr[member] }
}

function durationOf(call: Call, startedAt: number, finishedAt: number | undefined): number {
  return Math.max(0, (finishedAt ?? call.now()) - startedAt)
}

/** Stands in the view alone, never in the spool (spec shells.md §5.5). */
function timeoutNote(stderr: string, timeoutMs: number, { shell }: RunFacts): string {
  const lineBreak = stderr === "" || stderr.endsWith("\n") ? "" : "\n"
  const became = shell?.restarted === undefined ? "is intact (cwd and environment kept)" : "was restarted"
  const advice = "use run_job or a background command for longer work"
  return `${lineBreak}holdfast: timed out after ${timeoutMs / 1000}s; the shell ${became}; ${advice}\n`
}

function processMembers({ background, survivors }: RunFacts): Partial<ExecResult> {
  return {
    ...(background.length === 0
      ? {}
      : { background: background.slice(0, MAX_NAMED).map(backgroundView), background_total: background.length }),
    ...(survivors.length === 0 ? {} : { survivors: survivors.slice(0, MAX_NAMED), survivors_total: survivors.length }),
  }
}

/** One left process as callers see it. */
export function backgroundView({ pid, command, holdsOutput }: RunFacts["background"][number]) {
  return { pid, command, holds_output: holdsOutput ?? false }
}

function shellMembers({ shell }: RunFacts): Partial<ExecResult> {
  if (shell === undefined) return {}
  const { restarted, lateOutput } = shell
  return {
    ...(restarted === undefined ? {} : { shell_restarted: { ...restarted, lost: restarted.lost.slice(0, MAX_NAMED) } }),
    ...(lateOutput.length === 0
      ? {}
      : { late_output: lateOutput.slice(0, MAX_NAMED).map(({ jobId, bytes }) => ({ job_id: jobId, bytes })) }),
    ...(shell.intTrapReset ? { int_trap_reset: true } : {}),
    ...(shell.cwdDeleted ? { cwd_deleted: true } : {}),
  }
}
