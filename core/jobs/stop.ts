import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import { type JobId, jobIdSchema } from "../kernel/ids.ts"
import { jobNotFound } from "./access.ts"
import { changeJob } from "./commit.ts"
import { waitForNews } from "./news.ts"
import { jobStatusSchema, outcomeSchema, outcomeView, survivorsSchema } from "./output-schema.ts"
import { isUnreachable } from "./reachable.ts"
import { type JobReading, readJob } from "./reading.ts"
import type { Job, Survivor } from "./record.ts"
import { recoverJob } from "./recovery.ts"
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
  const { clock, store } = call.ports
  const { jobId, stopRequestedAt } = reading.job
  const until = clock.monotonic() + Math.min(END_WAIT_MS, call.deadline.remaining() - REPLY_TIME_MS)
  const left = (): number => Math.max(0, until - clock.monotonic())
  const noted = await store.write((tx) => changeJob(tx, jobId, (job) => asStopRequested(job, "stop_job", call.now())))
  const job = noted?.job ?? reading.job
  call.ports.signals.notify(`job:${jobId}`)
  // What cannot be carried out now is carried out when the host is met again.
  const survivors = (await isElsewhere(reading))
    ? []
    : await whereReachable(() => stopHere(call, { ...reading, job }, { ...request, waitMs: left() }))
  const { value } = await waitForNews(call, {
    read: () => readJob(call, jobId),
    isNews: (one) => isTerminal(one.job.status) || survivors.length > 0,
    readings: (one) => [one],
    wakeOn: "terminal",
    waitMs: left(),
  })
  return {
    job_id: jobId,
    status: value.job.status,
    stop_request_accepted: true,
    already_finished: false,
    already_stop_requested: stopRequestedAt !== undefined,
    ...(value.job.outcome === undefined ? {} : { outcome: outcomeView(value.job.outcome) }),
    survivors,
  }
}

async function whereReachable(stop: () => Promise<StopOutput["survivors"]>): Promise<StopOutput["survivors"]> {
  try {
    return await stop()
  } catch (error) {
    if (isUnreachable(error)) return []
    throw error
  }
}

/** Another living server runs it, or its host is out of reach: who meets the request in the row carries it out. */
async function isElsewhere({ job, facts, runner, reachable }: JobReading): Promise<boolean> {
  if (!reachable) return true
  if (facts !== undefined || job.hostId === undefined) return false
  return (await runner.recall(job.hostId, job.jobId)).state === "alive"
}

/** The host is this process's, or gone: its tree is ended now, and the end is committed by whoever comes first. */
async function stopHere(
  call: Call<StopOutput>,
  { job, facts: known, runner }: JobReading,
  { graceMs, waitMs }: StopRequest & { readonly waitMs: number },
): Promise<StopOutput["survivors"]> {
  const { ports } = call
  const ending =
    known === undefined
      ? recoverJob(ports, runner, { job, stopGraceMs: graceMs }).then(survivorsOf)
      : runner.stop(job.jobId, { cause: "stop_job", graceMs }).then(async (facts) => {
          await settleJob(ports, runner, job.jobId)
          return facts?.survivors ?? []
        })
  const waiting = new AbortController()
  const timeout = ports.clock.sleep(waitMs, waiting.signal).catch(() => undefined)
  const survivors = await Promise.race([ending, timeout])
  waiting.abort()
  return [...(survivors ?? [])].slice(0, 8)
}

function survivorsOf(job: Job | undefined): readonly Survivor[] {
  const outcome = job?.outcome
  return outcome?.kind === "cancelled" ? outcome.then.survivors : []
}
