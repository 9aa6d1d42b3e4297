import type { JobId } from "../../../../../core/kernel/ids.ts"
import { createChanges } from "../../host/changes.ts"

/** What happened to Jobs of several hosts, in one count. */
export interface Milestones {
  note(jobIds: readonly JobId[]): void
  forget(jobIds: readonly JobId[]): void
  /** Resolves with what was noted after `since`, or with nothing when the signal aborts. */
  after(since: number, signal?: AbortSignal): Promise<{ readonly sequence: number; readonly jobIds: readonly JobId[] }>
}

/** Keeps the newest milestone of each Job until it is forgotten. */
export function createMilestones(): Milestones {
  const noted = new Map<JobId, number>()
  const changes = createChanges()
  let sequence = 0
  return {
    note(jobIds) {
      for (const jobId of jobIds) {
        sequence += 1
        noted.set(jobId, sequence)
      }
      if (jobIds.length > 0) changes.notify()
    },
    forget(jobIds) {
      for (const jobId of jobIds) noted.delete(jobId)
    },
    async after(since, signal) {
      for (;;) {
        const fresh = [...noted].filter(([, at]) => at > since)
        if (fresh.length > 0 || signal?.aborted === true) return { sequence, jobIds: fresh.map(([jobId]) => jobId) }
        await changes.next(signal)
      }
    },
  }
}
