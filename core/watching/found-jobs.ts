import { type Caller, mayAccessProject } from "../access/principal.ts"
import { jobOwner } from "../jobs/access.ts"
import { type Job, LIVE_STATUSES } from "../jobs/record.ts"
import type { JobFilter, ListedJob, JobPosition as ListPosition } from "../jobs/store.ts"
import type { JobId } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"

const PAGE = 100

/** The caller's Jobs created at or after a time, oldest first. */
export async function jobsSince(tx: Tx, caller: Caller, since: number): Promise<readonly ListedJob[]> {
  return await found(tx, ownJobs(caller), ({ createdAt }) => createdAt >= since)
}

/** The caller's Jobs that have not ended, oldest first. */
export async function liveJobs(tx: Tx, caller: Caller): Promise<readonly ListedJob[]> {
  return await found(tx, { ...ownJobs(caller), statuses: LIVE_STATUSES }, () => true)
}

/** A list from its beginning to the first Job that is not wanted, turned round. */
async function found(tx: Tx, of: JobFilter, isWanted: (job: Job) => boolean): Promise<readonly ListedJob[]> {
  const all: ListedJob[] = []
  let after: ListPosition | undefined
  for (;;) {
    const page = await tx.jobs.page({ ...of, ...(after === undefined ? {} : { after }), limit: PAGE })
    const wanted = page.filter(({ job }) => isWanted(job))
    all.push(...wanted)
    const last = page.at(-1)?.job
    if (last === undefined || page.length < PAGE || wanted.length < page.length) return all.reverse()
    after = positionOf(last)
  }
}

const ownJobs = (caller: Caller) => ({
  ownerFingerprint: jobOwner(caller),
  slugs: caller.projects,
  includeQuick: true,
})

const positionOf = ({ createdAt, jobId }: Job): ListPosition => ({ createdAt, jobId })

/** One Job by its id; `undefined` for one that the caller may not see. */
export async function namedJob(tx: Tx, caller: Caller, jobId: JobId): Promise<ListedJob | undefined> {
  const job = await tx.jobs.byId(jobId)
  if (job === undefined || job.ownerFingerprint !== jobOwner(caller)) return undefined
  const project = job.projectPk === undefined ? undefined : await tx.projects.byPk(job.projectPk)
  if (job.projectPk !== undefined && (project === undefined || !mayAccessProject(caller, project.slug)))
    return undefined
  const shell = job.shellUid === undefined ? undefined : await tx.shells.byUid(job.shellUid)
  return {
    job,
    ...(project === undefined ? {} : { project: { slug: project.slug, clientId: project.clientId } }),
    ...(shell === undefined ? {} : { shellId: shell.shellId }),
  }
}
