import type { StartedCall } from "./execute.ts"
import { failureOf, neverStarted } from "./outcome.ts"
import { NO_OUTPUT } from "./output/totals.ts"
import type { StartOutput } from "./output-schema.ts"
import { readJob } from "./reading.ts"
import type { Job } from "./record.ts"
import type { RunFacts } from "./runner.ts"
import { startOutput } from "./start-output.ts"
import { isTerminal } from "./states.ts"
import { encodeObservation } from "./tokens.ts"

/**
 * Answers a repeated key with its Job as it stands now, also while it waits, when it ended, after a restart; nothing is
 * started and nothing is waited for (spec exec-and-jobs.md §9). Throws the kind of an end that is not success.
 */
export async function replayStart(
  { call, runner, execution }: Pick<StartedCall, "call" | "runner" | "execution">,
  { jobId }: Job,
): Promise<StartOutput> {
  const { job, facts } = await readJob(call, jobId)
  const shown = await startOutput({ call, runner, execution, job, cwd: job.cwd ?? "." }, job, facts ?? factsOf(job))
  const output: StartOutput = { ...shown.output, ...evictedMembers(job), replayed: true }
  if (isTerminal(job.status)) {
    const failure = job.outcome === undefined ? neverStarted(output) : failureOf(job, output)
    if (failure !== undefined) throw failure
    return output
  }
  const seen = { jobId, revision: job.revision, offsets: shown.offsets }
  return { ...output, observation_token: encodeObservation(await call.ports.store.instanceKey(), seen) }
}

/** An output that is not kept any more is not told as one that was empty. */
function evictedMembers({ outputState }: Job): Partial<StartOutput> {
  if (outputState === "available") return {}
  return { truncated: true, hint: "The output of this Job is no longer kept; job_status still has its totals." }
}

/** What the row alone tells, where the host has forgotten the run or is another server's. */
function factsOf(job: Job): RunFacts {
  const { jobId, revision, startedAt, finishedAt, outcome, output: totals = NO_OUTPUT, outputGap } = job
  const ended = isTerminal(job.status)
  return {
    jobId,
    revision,
    state: ended ? "ended" : job.status === "queued" ? "queued" : "running",
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    ...(outcome === undefined ? {} : { outcome }),
    totals,
    outputGap,
    outputOpen: !ended,
    tracking: "session",
    endedBackground: [],
    background: [],
    survivors: [],
  }
}
