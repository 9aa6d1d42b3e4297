import { match } from "ts-pattern"
import { type CancelledBy, type Job, type JobStatus, type Outcome, TERMINAL_STATUSES } from "./record.ts"
import type { RunFacts } from "./runner.ts"

/** Whether a status is final (spec exec-and-jobs.md §5.2). */
export function isTerminal(status: JobStatus): boolean {
  return TERMINAL_STATUSES.some((terminal) => terminal === status)
}

/** Everything that becomes known with the end of an execution. */
export interface JobEnd {
  /** Absent when it never ran and nobody stopped it. */
  readonly outcome?: Outcome
  readonly startedAt?: number
  readonly finishedAt: number
  readonly totals: RunFacts["totals"]
  readonly outputGap: boolean
  /** The end became known only after the process that waited for it had died. */
  readonly recovered?: boolean
}

/** queued, recovering → running, or the stop that was asked for meanwhile; `undefined` where the event does not apply. */
export function asRunning(job: Job, startedAt: number): Job | undefined {
  if (job.status !== "queued" && job.status !== "recovering") return undefined
  const status = job.stopRequestedAt === undefined ? "running" : "stop_requested"
  return { ...job, status, executionState: "running", startedAt }
}

/** queued, running, stop_requested → recovering: its Runner is out of reach; `undefined` where the event does not apply. */
export function asRecovering(job: Job, at: number): Job | undefined {
  if (isTerminal(job.status) || job.status === "recovering") return undefined
  return { ...job, status: "recovering", recoveringSince: at }
}

/** What its host says of a Job that lives; `undefined` where that changes nothing. */
export function asSeen(job: Job, facts: Pick<RunFacts, "startedAt" | "recoveringSince">): Job | undefined {
  const { startedAt, recoveringSince } = facts
  if (recoveringSince !== undefined) return asRecovering(job, recoveringSince)
  if (startedAt !== undefined) return asRunning(job, startedAt)
  return job.status === "recovering" ? { ...job, status: "queued" } : undefined
}

/** running → stop_requested, or the request noted while recovering; `undefined` where the event does not apply. */
export function asStopRequested(job: Job, cause: CancelledBy, at: number): Job | undefined {
  if (job.stopRequestedAt !== undefined) return undefined
  const noted = { ...job, stopRequestedAt: at, stopCause: cause }
  if (job.status === "running") return { ...noted, status: "stop_requested" }
  return job.status === "recovering" ? noted : undefined
}

/** The call stopped waiting; the execution goes on. */
export function asHandedOver(job: Job): Job {
  return { ...job, handedOver: true }
}

/** Any live state → its end; `undefined` when another end came first: the first one is final. */
export function asEnded(job: Job, end: JobEnd): Job | undefined {
  if (isTerminal(job.status)) return undefined
  return {
    ...job,
    status: end.outcome === undefined ? "failed" : statusOf(end.outcome),
    executionState: executionStateOf(end.outcome, end.startedAt !== undefined),
    ...(end.outcome === undefined ? {} : { outcome: end.outcome }),
    ...(end.startedAt === undefined ? {} : { startedAt: end.startedAt }),
    finishedAt: end.finishedAt,
    output: end.totals,
    outputGap: end.outputGap,
    recovered: end.recovered ?? false,
  }
}

/** The end that a host's facts tell; `undefined` while it lives. */
export function endOf(facts: RunFacts, now: number): JobEnd | undefined {
  if (facts.state !== "ended") return undefined
  return {
    ...(facts.outcome === undefined ? {} : { outcome: facts.outcome }),
    ...(facts.startedAt === undefined ? {} : { startedAt: facts.startedAt }),
    finishedAt: facts.finishedAt ?? now,
    totals: facts.totals,
    outputGap: facts.outputGap,
    ...(facts.outcome?.kind === "unknown" && facts.outcome.reason === "supervisor_lost" ? { recovered: true } : {}),
  }
}

function statusOf(outcome: Outcome): JobStatus {
  return match(outcome)
    .returnType<JobStatus>()
    .with({ kind: "exited", exit_code: 0 }, () => "completed")
    .with({ kind: "exited" }, { kind: "signaled" }, () => "failed")
    .with({ kind: "timed_out" }, () => "timed_out")
    .with({ kind: "cancelled", by: "stop_job" }, () => "stopped")
    .with({ kind: "cancelled" }, () => "cancelled")
    .with({ kind: "lost" }, { kind: "unknown" }, () => "lost")
    .exhaustive()
}

function executionStateOf(outcome: Outcome | undefined, started: boolean): Job["executionState"] {
  if (outcome === undefined) return "not_started"
  return match(outcome)
    .returnType<Job["executionState"]>()
    .with({ kind: "exited" }, { kind: "signaled" }, () => "completed")
    .with({ kind: "timed_out" }, () => "timed_out")
    .with({ kind: "cancelled" }, () => (started ? "cancelled" : "not_started"))
    .with({ kind: "lost", reason: "never_started" }, () => "not_started")
    .with({ kind: "lost" }, { kind: "unknown" }, () => "outcome_unknown")
    .exhaustive()
}
