import type { JobRunner, RunFacts } from "../../../../core/jobs/runner.ts"

/** A command that ends within this time of its acceptance is told of once. */
const PROMPT_MS = 10

/** The end of a run that is over in no time, so that its server need not ask for it; else the facts as they were. */
export async function promptEnd(jobs: Pick<JobRunner, "watch">, accepted: RunFacts): Promise<RunFacts> {
  if (accepted.state === "ended") return accepted
  const { jobId, revision } = accepted
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), PROMPT_MS)
  try {
    return (await jobs.watch(jobId, { from: revision, until: "answer", signal: stop.signal })) ?? accepted
  } finally {
    clearTimeout(timer)
  }
}
