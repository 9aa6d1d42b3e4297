import type { JobId } from "../kernel/ids.ts"
import { sessionIdSchema } from "../kernel/ids.ts"
import type { DraftEvent, Ledger } from "../ledger/ledger.ts"
import type { Tx } from "../store.ts"
import { jobExpectation } from "./expectation.ts"
import { exitOf } from "./outcome.ts"
import type { Job } from "./record.ts"
import { asEnded, type JobEnd } from "./states.ts"

/** A row after a transition. */
interface ChangedJob {
  readonly job: Job
  /** Whether the transition applied. */
  readonly changed: boolean
}

type Transition = (job: Job) => Job | undefined

/**
 * Applies one transition inside the caller's transaction (spec exec-and-jobs.md §5.2); the row as it is afterwards.
 * `undefined` for an unknown Job. A transition that does not apply any more changes nothing. Who knows the row gives it: it
 * is read only if another writer came since.
 */
export async function changeJob(tx: Tx, of: JobId | Job, transition: Transition): Promise<ChangedJob | undefined> {
  if (typeof of !== "string") {
    const result = await replaceJob(tx, of, transition)
    if (result !== "stale") return result
  }
  const job = await tx.jobs.byId(typeof of === "string" ? of : of.jobId)
  if (job === undefined) return undefined
  const result = await replaceJob(tx, job, transition)
  return result === "stale" ? { job, changed: false } : result
}

async function replaceJob(tx: Tx, job: Job, transition: Transition): Promise<ChangedJob | "stale"> {
  const next = transition(job)
  if (next === undefined) return { job, changed: false }
  if (!(await tx.jobs.update(next, job))) return "stale"
  return { job: { ...next, revision: job.revision + 1 }, changed: true }
}

/**
 * Commits an end inside the caller's transaction: the first one wins, and a handed-over Job's Session gets exactly one
 * `job_finished` with it (spec exec-and-jobs.md §11).
 */
export async function commitEnd(
  tx: Tx,
  ledger: Pick<Ledger, "append">,
  end: { readonly job: JobId | Job; readonly now: number; readonly value: JobEnd },
): Promise<Job | undefined> {
  const result = await changeJob(tx, end.job, (job) => asEnded(job, end.value))
  if (result?.changed === true) await announce(tx, ledger, { job: result.job, at: result.job.finishedAt ?? end.now })
  return result?.job
}

async function announce(
  tx: Tx,
  ledger: Pick<Ledger, "append">,
  { job, at }: { readonly job: Job; readonly at: number },
): Promise<void> {
  const sessionId = sessionIdSchema.safeParse(job.sessionId).data
  if (!job.handedOver || sessionId === undefined) return
  const row = await tx.sessions.byId(sessionId)
  if (row?.readable !== true) return
  await ledger.append(tx, sessionId, [finishedEvent(job, at)])
}

function finishedEvent(job: Job, at: number): DraftEvent {
  const expectation = jobExpectation(job)
  return {
    kind: "job_finished",
    at,
    door: "system",
    job_id: job.jobId,
    tool_name: job.tool,
    call_id: job.callId,
    outcome: job.outcome?.kind ?? "not_started",
    ...exitOf(job.outcome),
    execution_state: job.executionState,
    ...(expectation === undefined ? {} : { expectation }),
    output: outputFacts(job),
  }
}

/** Counts of a Job's output, as ledger and logs keep them (spec exec-and-jobs.md §11). */
function outputFacts(job: Job): Record<string, number | boolean> {
  const { output } = job
  return {
    ...(output === undefined
      ? {}
      : {
          stdout_bytes: output.stdout.bytes_total,
          stderr_bytes: output.stderr.bytes_total,
          stdout_lines: output.stdout.lines_total,
          stderr_lines: output.stderr.lines_total,
        }),
    ...(job.startedAt === undefined || job.finishedAt === undefined
      ? {}
      : { duration_ms: Math.max(0, job.finishedAt - job.startedAt) }),
    recovered: job.recovered,
  }
}
