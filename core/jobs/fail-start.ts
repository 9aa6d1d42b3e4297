import { isToolError, restate } from "../kernel/error.ts"
import { changeJob } from "./commit.ts"
import { withJob } from "./conclude.ts"
import { evenWithoutStore } from "./even-without-store.ts"
import type { Job } from "./record.ts"
import { type FailingCall, refuseJob } from "./start-row.ts"
import { asHandedOver, isTerminal } from "./states.ts"

/**
 * Brings the row of a start that threw up to what that says, and answers what the call throws (spec exec-and-jobs.md §6.1).
 * What may have run is no refusal: its row goes on as one that was handed over, and recovery tells its end.
 */
export async function failStart(call: FailingCall, job: Job, error: unknown): Promise<unknown> {
  if (!isToolError(error) || error.executionState !== "outcome_unknown") {
    await refuseJob(call, job)
    return withJob(error, job)
  }
  const { jobId } = job
  await evenWithoutStore(() =>
    call.ports.store.write((tx) =>
      changeJob(tx, jobId, (row) => (isTerminal(row.status) ? undefined : asHandedOver(row))),
    ),
  )
  call.ports.signals.notify(`job:${jobId}`)
  if (error.output !== undefined) return error
  const output = { job_id: jobId, status: job.status, terminal: false, execution_state: "outcome_unknown" }
  return restate(error, { output, cause: error })
}
