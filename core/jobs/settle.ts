import type { Clock } from "../kernel/clock.ts"
import type { JobId } from "../kernel/ids.ts"
import type { Signals } from "../kernel/signals.ts"
import type { Ledger } from "../ledger/ledger.ts"
import type { Store, Tx } from "../store.ts"
import { changeJob, commitEnd } from "./commit.ts"
import type { Job, Outcome } from "./record.ts"
import type { JobRunner, RunFacts } from "./runner.ts"
import { asSeen, endOf } from "./states.ts"

/** What is needed to bring a row up to what its host knows. */
export interface SettlePorts {
  readonly store: Store
  readonly ledger: Pick<Ledger, "append">
  readonly signals: Pick<Signals, "notify">
  readonly clock: Pick<Clock, "now">
}

/**
 * Brings the row of a Job up to what its host knows: queued → running, live → ended. Any server may do it at any time,
 * the first one changes the row. The host is then told that it may forget a handed-over Job; of another one its call
 * still asks (spec exec-and-jobs.md §6.1 steps 6, 8).
 */
export async function settleJob(ports: SettlePorts, runner: JobRunner, jobId: JobId): Promise<Job | undefined> {
  const facts = await runner.facts(jobId)
  if (facts === undefined) return undefined
  const now = ports.clock.now()
  const end = endOf(facts, now)
  const job = await ports.store.write(async (tx) => {
    if (end === undefined) return (await changeJob(tx, jobId, (row) => asSeen(row, facts)))?.job
    const ended = await commitEnd(tx, ports.ledger, { job: jobId, now, value: end })
    return withLateOutput(tx, await withLateOutcome(tx, ended, end.outcome), facts)
  })
  ports.signals.notify(`job:${jobId}`)
  if (end !== undefined && job?.handedOver === true) await runner.ack([jobId])
  return job
}

/** A true end that comes after the Job was given up does not revive it; it is kept beside what was told (spec exec-and-jobs.md §6.2). */
async function withLateOutcome(tx: Tx, job: Job | undefined, late: Outcome | undefined): Promise<Job | undefined> {
  if (job?.status !== "lost" || job.lateOutcome !== undefined || late === undefined) return job
  if (late.kind === "lost" || late.kind === "unknown") return job
  await tx.jobs.noteLateOutcome(job.jobId, late)
  return { ...job, lateOutcome: late }
}

/** What kept background processes wrote after the end counts too (spec exec-and-jobs.md §8.3). */
async function withLateOutput(tx: Tx, job: Job | undefined, { totals }: RunFacts): Promise<Job | undefined> {
  if (job === undefined || job.output === undefined || bytesOf(job.output) >= bytesOf(totals)) return job
  await tx.jobs.noteLateOutput(job.jobId, totals)
  return { ...job, output: totals }
}

const bytesOf = ({ stdout, stderr }: RunFacts["totals"]): number => stdout.bytes_total + stderr.bytes_total
