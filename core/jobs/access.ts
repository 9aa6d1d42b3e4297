import { hash } from "node:crypto"
import { authorityFingerprint, mayAccessProject } from "../access/principal.ts"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import type { JobId } from "../kernel/ids.ts"
import type { Project } from "../projects/record.ts"
import type { Tx } from "../store.ts"
import type { Job } from "./record.ts"

/** Whose Jobs a caller's are; an embedder's principal without authority group owns them by itself. */
export function jobOwner(caller: Call["caller"]): string {
  if (caller.authority !== undefined) return authorityFingerprint(caller.authority)
  return hash("sha256", `holdfast.job-owner.v1\0${caller.principal.id}`)
}

/** A Job with the Project it ran in, where it had one. */
export interface FoundJob {
  readonly job: Job
  readonly project: Project | undefined
}

/**
 * The Job, if it is the caller's own and its Project may be accessed now; else `job_not_found`, the same as for an
 * unknown id (spec exec-and-jobs.md §7.4).
 */
export async function findJob(tx: Tx, jobId: JobId, caller: Call["caller"]): Promise<FoundJob> {
  const job = await tx.jobs.byId(jobId)
  if (job === undefined || job.ownerFingerprint !== jobOwner(caller)) throw jobNotFound()
  if (job.projectPk === undefined) return { job, project: undefined }
  const project = await tx.projects.byPk(job.projectPk)
  if (project === undefined || !mayAccessProject(caller, project.slug)) throw jobNotFound()
  return { job, project }
}

/** The one answer for unknown, foreign and removed Jobs. */
export function jobNotFound(): ToolError<"job_not_found"> {
  return new ToolError(
    "job_not_found",
    "No such Job is known to this caller. Take the job_id from the call that started it.",
  )
}
