import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import { type JobId, jobIdSchema } from "../kernel/ids.ts"
import { jobNotFound } from "./access.ts"
import { changeJob } from "./commit.ts"
import { waitForNews } from "./news.ts"
import { jobStatusSchema, outcomeSchema, outcomeView, survivorsSchema } from "./output-schema.ts"
import { type JobReading, readJob } from "./reading.ts"
import { settleJob } from "./settle.ts"
import { asStopRequested, isTerminal } from "./states.ts"

const END_WAIT_MS = 5000
const REPLY_TIME_MS = 1000

/** What `stop_job` answers (spec exec-and-jobs.md §8.1). */
export const stopOutputSchema = z.object({
  job_id: jobIdSchema,
  status: jobStatusSchema,
  stop_request_accepted: z.boolean(),
  already_finished: z.boolean(),
  already_stop_requested: z.boolean(),
  outcome: outcomeSchema.optional(),
  survivors: survivorsSchema,
})
type StopOutput = z.infer<typeof stopOutputSchema>

/** What to stop; `graceMs` is the time between SIGTERM and SIGKILL. */
export interface StopRequest {
  readonly jobId: JobId
  readonly confirm: boolean
  readonly graceMs: number
}

/**
 * Ends a Job's whole tree, or what a finished one left in the background, and waits up to 5 s for the end (spec
 * exec-and-jobs.md §8.1). Throws `confirmation_required`, `job_not_found`.
 */
export async function stopJob(call: Call<StopOutput>, request: StopRequest): Promise<StopOutput> {
  if (!request.confirm) {
    throw new ToolError(
      "confirmation_required",
      "Stopping ends the command and all it started. Repeat with confirm: true.",
    )
  }
  const reading = await readJob(call, request.jobId)
  if (call.project !== undefined && call.project.pk !== reading.job.projectPk) throw jobNotFound()
  return isTerminal(reading.job.status) ? stopLeftovers(reading, request) : stopActive(call, reading, request)
}

async function stopLeftovers({ job, runner }: JobReading, request: StopRequest): Promise<StopOutput> {
  const facts = await runner.stop(job.jobId, { cause: "stop_job", graceMs: request.graceMs })
  return {
    job_id: job.jobId,
    status: job.status,
    stop_request_accepted: false,
    already_finished: true,
    already_stop_requested: false,
    ...(job.outcome === undefined ? {} : { outcome: outcomeView(job.outcome) }),
    survivors: [...(facts?.survivors ?? [])].slice(0, 8),
  }
}

async function stopActive(call: Call<StopOutput>, reading: JobReading, request: StopRequest): Promise<StopOutput> {
  const { ports } = call
  const { jobId, stopRequestedAt } = reading.job
  await ports.store.write((tx) => changeJob(tx, jobId, (job) => asStopRequested(job, "stop_job", call.now())))
  ports.signals.notify(`job:${jobId}`)
  const survivors = (await isElsewhere(reading)) ? [] : await stopHere(call, reading, request)
  const { value } = await waitForNews(call, {
    read: () => readJob(call, jobId),
    isNews: ({ job }) => isTerminal(job.status) || survivors.length > 0,
    readings: (fresh) => [fresh],
    wakeOn: "terminal",
    waitMs: END_WAIT_MS,
  })
  const { job } = value
  return {
    job_id: jobId,
    status: job.status,
    stop_request_accepted: true,
    already_finished: false,
    already_stop_requested: stopRequestedAt !== undefined,
    ...(job.outcome === undefined ? {} : { outcome: outcomeView(job.outcome) }),
    survivors,
  }
}

/** Another living server runs it: that one sees the request in the row and carries it out. */
async function isElsewhere({ job, facts, runner }: JobReading): Promise<boolean> {
  if (facts !== undefined || job.hostId === undefined) return false
  return (await runner.recall(job.hostId, job.jobId)).state === "alive"
}

/** The host is this process's: it ends the tree now, and the end is committed by whoever comes first. */
async function stopHere(
  call: Call<StopOutput>,
  { job, runner }: JobReading,
  request: StopRequest,
): Promise<StopOutput["survivors"]> {
  const stopped = runner.stop(job.jobId, { cause: "stop_job", graceMs: request.graceMs })
  const waiting = new AbortController()
  const ms = Math.max(0, Math.min(END_WAIT_MS, call.deadline.remaining() - REPLY_TIME_MS))
  const timeout = call.ports.clock.sleep(ms, waiting.signal).catch(() => undefined)
  const facts = await Promise.race([stopped, timeout])
  waiting.abort()
  if (facts === undefined) return []
  await settleJob(call.ports, runner, job.jobId)
  return [...facts.survivors].slice(0, 8)
}
