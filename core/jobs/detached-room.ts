import { ToolError } from "../kernel/error.ts"

const MAX_DETACHED = 32

/** Throws `job_limit_reached` where as many detached processes run as one data directory may have (spec exec-and-jobs.md §5.3). */
export function requireDetachedRoom(running: number): void {
  if (running < MAX_DETACHED) return
  throw new ToolError(
    "job_limit_reached",
    `${MAX_DETACHED} detached processes run, which is the most. Stop one, or retry when one ended.`,
    { details: { running, queued: 0 }, executionState: "not_started" },
  )
}
