import type { Call } from "../kernel/call.ts"
import { isToolError, restate, ToolError } from "../kernel/error.ts"
import type { Tx } from "../store.ts"
import { changeJob, commitEnd } from "./commit.ts"
import { evenWithoutStore } from "./even-without-store.ts"
import type { Job } from "./record.ts"
import type { JobRunner } from "./runner.ts"
import { settleJob } from "./settle.ts"
import type { JobEnd } from "./states.ts"

/** A call and the Job that it started. */
export interface Concluding<Output extends object> {
  readonly call: Call<Output>
  readonly runner: JobRunner
  readonly job: Job
}

/** An end that the call saw, and what it answers. */
export interface SeenEnd<Output extends object> {
  readonly value: JobEnd
  readonly output: Output
  /** What the call throws, the end committed; absent where the end is success. */
  readonly failure?: ToolError | undefined
  /** Stored state of another domain that changes with the end. */
  readonly also?: (tx: Tx) => Promise<unknown>
}

/** The call saw the end: it is committed together with the call's own, where the answer is success (spec exec-and-jobs.md §6.1). */
export async function concludeEnd<Output extends object>(
  { call, runner, job }: Concluding<Output>,
  { value, output, failure, also }: SeenEnd<Output>,
): Promise<Output> {
  const { ledger, store, signals } = call.ports
  const commit = async (tx: Tx): Promise<void> => {
    await commitEnd(tx, ledger, { job, now: call.now(), value })
    await also?.(tx)
  }
  const settled = async (): Promise<void> => {
    signals.notify(`job:${job.jobId}`)
    await runner.ack([job.jobId])
  }
  if (failure !== undefined) {
    await evenWithoutStore(async () => {
      await store.write(commit)
      await settled()
    })
    throw failure
  }
  const committed = await evenWithoutStore(async () => {
    const told = await call.commit(async (tx) => {
      await commit(tx)
      return output
    })
    await settled()
    return told
  })
  return committed ?? output
}

/** The call stops waiting; the same execution goes on under its id. */
export async function concludeHandOver<Output extends object>(
  { call, runner, job }: Concluding<Output>,
  { live, output }: { readonly live: (row: Job) => Job; readonly output: (revision?: number) => Output },
): Promise<Output> {
  const committed = await evenWithoutStore(() =>
    call.commit(async (tx) => {
      const row = await changeJob(tx, job, live)
      return output(row?.job.revision ?? job.revision)
    }),
  )
  call.ports.signals.notify(`job:${job.jobId}`)
  // It may have ended while the hand-over was committed, when nobody knew that its end has to be told.
  const later = await runner.facts(job.jobId)
  if (later?.state === "ended") await settleJob(call.ports, runner, job.jobId)
  return committed ?? output()
}

/** A refused start is a Job too: its id travels with the refusal. */
export function withJob(error: unknown, { jobId }: Job): unknown {
  if (!isToolError(error) || error.output !== undefined) return error
  return restate(error, {
    executionState: "not_started",
    output: { job_id: jobId, status: "failed", terminal: true, execution_state: "not_started" },
    cause: error,
  })
}

/** The host forgot a Job whose end this call waited for. */
export function forgotten({ jobId }: Pick<Job, "jobId">): ToolError<"outcome_unknown"> {
  return new ToolError(
    "outcome_unknown",
    "The Runner does not know this execution any more. Look at its effects before it is run again.",
    { details: { reason: "process_gone", job_id: jobId }, executionState: "outcome_unknown" },
  )
}
