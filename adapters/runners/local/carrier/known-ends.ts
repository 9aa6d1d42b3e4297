import type { StreamName } from "../../../../core/jobs/record.ts"
import type { RunFacts, SpoolPage } from "../../../../core/jobs/runner.ts"
import type { JobId } from "../../../../core/kernel/ids.ts"
import { pageWithin, type ToldRun, takeTold } from "./told-run.ts"

/** Most ends that are remembered; the host has them all. */
const MAX_ENDS = 1024

/** Ends that a host has told and to which nothing can be added, with what little they wrote, until they are acknowledged. */
export interface KnownEnds {
  /** Facts that can still change are nothing to remember. */
  note(told: ToldRun): RunFacts
  of(jobId: JobId): RunFacts | undefined
  /** A page of an output that is known whole. */
  page(jobId: JobId, stream: StreamName, range: { readonly from: number; readonly max: number }): SpoolPage | undefined
  forget(jobIds: readonly JobId[]): void
}

/** Remembers the newest ones. */
export function createKnownEnds(): KnownEnds {
  const ends = new Map<JobId, ReturnType<typeof takeTold>>()
  return {
    note(told) {
      const end = takeTold(told)
      const { facts } = end
      if (facts.state !== "ended" || facts.outputOpen) return facts
      ends.set(facts.jobId, end)
      const [oldest] = ends.keys()
      if (ends.size > MAX_ENDS && oldest !== undefined) ends.delete(oldest)
      return facts
    },
    of: (jobId) => ends.get(jobId)?.facts,
    page(jobId, stream, range) {
      const page = ends.get(jobId)?.output?.[stream]
      return page && pageWithin(page, range)
    },
    forget(jobIds) {
      for (const jobId of jobIds) ends.delete(jobId)
    },
  }
}
