import { isToolError } from "../kernel/error.ts"
import type { JobId } from "../kernel/ids.ts"
import type { JobRunner, RunFacts } from "./runner.ts"

/** Whether a failure says that the Runner cannot be asked now. */
export function isUnreachable(error: unknown): boolean {
  return isToolError(error) && error.kind === "runner_unavailable"
}

/** What the host of a Job knows of it, or that it cannot be asked (spec exec-and-jobs.md §5.2). */
export async function factsWithin(
  runner: JobRunner,
  jobId: JobId,
): Promise<{ readonly facts: RunFacts | undefined; readonly reachable: boolean }> {
  try {
    return { facts: await runner.facts(jobId), reachable: true }
  } catch (error) {
    if (isUnreachable(error)) return { facts: undefined, reachable: false }
    throw error
  }
}

/** Beginning of a Job's command; `undefined` where its host does not know it any more or cannot be asked. */
export async function summaryWithin(runner: JobRunner, jobId: JobId): Promise<string | undefined> {
  try {
    return await runner.summary(jobId)
  } catch (error) {
    if (isUnreachable(error)) return undefined
    throw error
  }
}
