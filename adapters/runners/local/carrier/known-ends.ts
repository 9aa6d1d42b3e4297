import type { RunFacts } from "../../../../core/jobs/runner.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"

/** Most ends that are remembered; the host has them all. */
const MAX_ENDS = 1024

/** Ends that a host has told before anybody asked for them, until they are acknowledged. */
export interface KnownEnds {
  /** Facts of a run that goes on are nothing to remember. */
  note(facts: RunFacts): RunFacts
  of(jobId: JobId): RunFacts | undefined
  forget(jobIds: readonly JobId[]): void
}

/** Remembers the newest ones. */
export function createKnownEnds(): KnownEnds {
  const ends = new Map<JobId, RunFacts>()
  return {
    note(facts) {
      if (facts.state !== "ended") return facts
      ends.set(facts.jobId, facts)
      const [oldest] = ends.keys()
      if (ends.size > MAX_ENDS && oldest !== undefined) ends.delete(oldest)
      return facts
    },
    of: (jobId) => ends.get(jobId),
    forget(jobIds) {
      for (const jobId of jobIds) ends.delete(jobId)
    },
  }
}
