import type { z } from "zod"
import { fittingPage } from "../kernel/budget/fitting-page.ts"
import type { Call } from "../kernel/call.ts"
import { jobIdSchema } from "../kernel/ids.ts"
import { decodeCursor, encodeCursor, foreignCursor } from "../kernel/list-cursor.ts"
import type { Tx } from "../store.ts"
import { jobOwner } from "./access.ts"
import type { listJobsInputSchema, listJobsOutputSchema } from "./list-tool.ts"
import { factsWithin, summaryWithin } from "./reachable.ts"
import { ACTIVE_STATUSES } from "./record.ts"
import { asSeen, isTerminal } from "./states.ts"
import { listedJobView } from "./status-view.ts"
import type { JobFilter, JobPosition, ListedJob } from "./store.ts"

type ListCall = Pick<Call, "caller" | "ports" | "project" | "budget" | "now">
type Input = z.output<typeof listJobsInputSchema>
type Output = z.infer<typeof listJobsOutputSchema>

const positionText = ({ createdAt, jobId }: JobPosition): string => `${createdAt}.${jobId}`

function positionOf(cursor: string, filters: readonly (string | boolean | undefined)[]): JobPosition {
  const [, createdAt, id] = /^(\d{1,16})\.(.+)$/.exec(decodeCursor(cursor, filters)) ?? []
  const jobId = jobIdSchema.safeParse(id)
  if (createdAt === undefined || !jobId.success) throw foreignCursor()
  return { createdAt: Number(createdAt), jobId: jobId.data }
}

/**
 * One page of the caller's own Jobs whose Project it may access now, newest first; filters hold all at once and before the
 * limit, and the total is over all rows (spec exec-and-jobs.md §7.4).
 */
export async function listJobs(call: ListCall, input: Input): Promise<Output> {
  const { caller, project, ports } = call
  const owner = jobOwner(caller)
  const statuses = [
    ...new Set((input.status ?? []).flatMap((status) => (status === "active" ? ACTIVE_STATUSES : status))),
  ]
  const filters = [
    owner,
    project?.pk,
    input.session_id,
    input.shell_id,
    [...statuses].sort().join(),
    input.include_quick,
  ]
  const after = input.cursor === undefined ? undefined : positionOf(input.cursor, filters)
  const { listed, total } = await ports.store.read(async (tx) => {
    const shellUid = input.shell_id === undefined ? undefined : (await tx.shells.byId(input.shell_id))?.shellUid
    if (input.shell_id !== undefined && shellUid === undefined) return { listed: [], total: 0 }
    const filter: JobFilter = {
      ownerFingerprint: owner,
      slugs: caller.projects,
      ...(project === undefined ? {} : { projectPk: project.pk }),
      ...(input.session_id === undefined ? {} : { sessionId: input.session_id }),
      ...(shellUid === undefined ? {} : { shellUid }),
      ...(statuses.length === 0 ? {} : { statuses }),
      includeQuick: input.include_quick,
    }
    return pageAndTotal(tx, filter, { limit: input.limit + 1, ...(after === undefined ? {} : { after }) })
  })
  const views = await Promise.all(listed.slice(0, input.limit).map((one) => viewOf(call, one)))
  const jobs = fittingPage(views, input.limit, call.budget.chars / 2)
  const last = listed[jobs.length - 1]
  const more = listed.length > jobs.length && last !== undefined
  return { jobs, total, ...(more ? { next_cursor: encodeCursor(positionText(last.job), filters) } : {}) }
}

async function pageAndTotal(tx: Tx, filter: JobFilter, page: { readonly limit: number; readonly after?: JobPosition }) {
  return { listed: await tx.jobs.page({ ...filter, ...page }), total: await tx.jobs.count(filter) }
}

/** What lives is shown as its host knows it; of what has ended the row tells everything but its command. */
async function viewOf(call: ListCall, { job, ...known }: ListedJob) {
  const runner = call.ports.runners.get(known.project?.clientId ?? "local")?.jobs
  const isAsked = runner !== undefined && !isTerminal(job.status)
  const facts = isAsked ? (await factsWithin(runner, job.jobId)).facts : undefined
  const summary = facts?.summary ?? (runner && (await summaryWithin(runner, job.jobId)))
  const seen = facts === undefined ? job : (asSeen(job, facts) ?? job)
  return listedJobView(seen, { ...known, facts, summary, totals: facts?.totals ?? job.output, now: call.now() })
}
