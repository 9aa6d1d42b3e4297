import { z } from "zod"
import type { WorkspaceFacts } from "../git/workspace-facts.ts"

/** Why a workspace is not simply ready (spec workflow.md §2.4). */
export const READINESS_REASONS = [
  "active_jobs_present",
  "git_baseline_unavailable",
  "jobs_recovering",
  "workspace_conflicts",
  "workspace_dirty",
  "workspace_unavailable",
] as const
/** One of `READINESS_REASONS`. */
export type ReadinessReason = (typeof READINESS_REASONS)[number]

/** Readiness in outputs; it never prevents the Session. */
export const readinessSchema = z.object({
  status: z.enum(["pass", "warn", "fail"]).describe("fail if any reason is one, else warn if there is any."),
  blocking: z.boolean().describe("The workspace cannot be worked in as it is."),
  reasons: z.array(z.enum(READINESS_REASONS)).max(READINESS_REASONS.length).describe("Sorted."),
})
/** A value of `readinessSchema`. */
export type Readiness = z.infer<typeof readinessSchema>

/** Facts that readiness is made of. */
export interface ReadinessFacts {
  readonly workspace: WorkspaceFacts
  /** The baseline was wanted and could not be taken. */
  readonly baselineFailed: boolean
  readonly activeJobs: number
  readonly recoveringJobs: number
}

/** Pure projection of facts already read (spec workflow.md §2.4); another agent's Job is a warning. */
export function readinessOf(facts: ReadinessFacts): Readiness {
  const { workspace, baselineFailed, activeJobs, recoveringJobs } = facts
  const found: Record<ReadinessReason, boolean> = {
    active_jobs_present: activeJobs > 0,
    git_baseline_unavailable: baselineFailed,
    jobs_recovering: recoveringJobs > 0,
    workspace_conflicts: workspace.conflicted === true,
    workspace_dirty: workspace.dirty === true,
    workspace_unavailable: workspace.status === "unavailable",
  }
  const reasons = READINESS_REASONS.filter((reason) => found[reason])
  const blocking = found.workspace_conflicts
  return { status: blocking ? "fail" : reasons.length > 0 ? "warn" : "pass", blocking, reasons }
}
