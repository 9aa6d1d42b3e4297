import { match } from "ts-pattern"
import type { RecoveryPorts } from "../kernel/call.ts"
import type { Recovered } from "../kernel/definition.ts"
import { type InstanceId, jobIdSchema } from "../kernel/ids.ts"
import type { OpenCall } from "../ledger/store.ts"
import type { Tx } from "../store.ts"
import { changeJob, commitEnd } from "./commit.ts"
import { jobExpectation } from "./expectation.ts"
import { failureOf } from "./outcome.ts"
import { NO_OUTPUT } from "./output/totals.ts"
import { isUnreachable } from "./reachable.ts"
import type { Job, Outcome } from "./record.ts"
import type { JobRunner, OrphanEnd, PastRun, RunFacts } from "./runner.ts"
import { type SettlePorts, settleJob } from "./settle.ts"
import { asHandedOver, asRecovering, endOf, isTerminal, type JobEnd } from "./states.ts"

const STOP_GRACE_MS = 2000

/** Runners as far as recovery asks them. */
interface RunnersWithJobs {
  get(clientId: string): { readonly jobs: JobRunner } | undefined
}

/** What recovery of Jobs needs. */
export interface JobRecoveryPorts extends SettlePorts {
  readonly runners: RunnersWithJobs
}

/**
 * Brings every row that is not terminal up to what is true now, and returns how many ended (spec exec-and-jobs.md §6.1, §6.2).
 * Nothing is declared lost before its host has been asked: what the host holds goes on or has its true end; of what it lacks
 * the journals tell. `dead`: servers whose calls wait no more; a Job whose call still waits elsewhere is left to that call.
 * While the host is out of reach the rows are `recovering`. Safe in several servers at once: the first commit wins. It runs
 * before calls are recovered, so that these find the ends.
 */
export async function recoverJobs(ports: JobRecoveryPorts, dead: readonly InstanceId[]): Promise<number> {
  const runner = runnerOf(ports.runners)
  const rows = await ports.store.read((tx) => unattended(tx, dead))
  if (runner === undefined || rows.length === 0) return 0
  try {
    const known = new Map((await runner.inventory()).map((facts) => [facts.jobId, facts]))
    const ended = await Promise.all(rows.map((job) => recoverRow(ports, runner, { job, facts: known.get(job.jobId) })))
    return ended.filter((hasEnded) => hasEnded).length
  } catch (error) {
    if (!isUnreachable(error)) throw error
    await markRecovering(ports, rows)
    return 0
  }
}

/** Rows that are not terminal, without those whose call still waits in a living server. */
async function unattended(tx: Tx, dead: readonly InstanceId[]): Promise<readonly Job[]> {
  const active = await tx.jobs.active({})
  if (active.length === 0) return []
  const ended = new Set(dead.length === 0 ? [] : (await tx.openCalls.ofInstances(dead)).map(({ callId }) => callId))
  const rows: Job[] = []
  for (const job of active) {
    if (job.handedOver || ended.has(job.callId) || !(await tx.openCalls.exists(job.callId))) rows.push(job)
  }
  return rows
}

async function recoverRow(
  ports: SettlePorts,
  runner: JobRunner,
  { job, facts }: { readonly job: Job; readonly facts: RunFacts | undefined },
): Promise<boolean> {
  const { jobId, stopRequestedAt } = job
  if (facts === undefined) {
    const stop = stopRequestedAt === undefined ? {} : { stopGraceMs: STOP_GRACE_MS }
    return (await recoverJob(ports, runner, { job, ...stop })) !== undefined
  }
  const now = ports.clock.now()
  const value = endOf(facts, now)
  if (value === undefined) {
    if (job.status === "recovering") await settleJob(ports, runner, jobId)
    return false
  }
  // It ended while nobody followed it.
  await ports.store.write((tx) =>
    commitEnd(tx, ports.ledger, { job: jobId, now, value: { ...value, recovered: true } }),
  )
  ports.signals.notify(`job:${jobId}`)
  await runner.ack([jobId])
  return true
}

/** Notes that the host of these Jobs cannot be asked (spec exec-and-jobs.md §5.2). */
export async function markRecovering(ports: SettlePorts, jobs: readonly Pick<Job, "jobId">[]): Promise<void> {
  const now = ports.clock.now()
  await ports.store.write(async (tx) => {
    for (const { jobId } of jobs) await changeJob(tx, jobId, (row) => asRecovering(row, now))
  })
  for (const { jobId } of jobs) ports.signals.notify(`job:${jobId}`)
}

/**
 * Ends the Job of a host that is gone. A stop that was accepted (`stopGraceMs`) is carried out first, and the end is the
 * stop's where something still lived (spec exec-and-jobs.md §5.2). `undefined` while its host lives.
 */
export async function recoverJob(
  ports: SettlePorts,
  runner: JobRunner,
  { job, stopGraceMs }: { readonly job: Job; readonly stopGraceMs?: number },
): Promise<Job | undefined> {
  if (job.hostId === undefined) return undefined
  const { jobId } = job
  const past = await runner.recall(job.hostId, jobId)
  const isWanted = past.state === "supervisor_lost" && stopGraceMs !== undefined
  const stopped = isWanted ? await runner.endOrphan(jobId, { graceMs: stopGraceMs }) : undefined
  const now = ports.clock.now()
  const value = endOfPast(past, now)
  if (value === undefined) return undefined
  const end = stopped?.signalled === true ? { ...value, outcome: stoppedOutcome(job, stopped) } : value
  const committed = await ports.store.write((tx) => commitEnd(tx, ports.ledger, { job: jobId, now, value: end }))
  ports.signals.notify(`job:${jobId}`)
  return committed
}

function stoppedOutcome({ stopCause = "stop_job" }: Job, { survivors }: OrphanEnd): Outcome {
  const then = { survivors }
  return { kind: "cancelled", by: stopCause, then }
}

/** Every Job so far is of the local Runner: the only one whose journals lie in this data directory. */
function runnerOf(runners: RunnersWithJobs): JobRunner | undefined {
  return runners.get("local")?.jobs
}

/** What a dead host's journal proves about the end of a Job; `undefined` while its host lives. */
export function endOfPast(past: PastRun, now: number): JobEnd | undefined {
  return match(past)
    .returnType<JobEnd | undefined>()
    .with({ state: "alive" }, () => undefined)
    .with({ state: "never_accepted" }, () => ({
      outcome: { kind: "lost", reason: "never_started" },
      finishedAt: now,
      totals: NO_OUTPUT,
      outputGap: false,
      recovered: true,
    }))
    .with({ state: "ended" }, ({ state: _, ...end }) => ({ ...end, recovered: true }))
    .with({ state: "supervisor_lost" }, ({ totals, startedAt }) => ({
      outcome: { kind: "unknown", reason: "supervisor_lost" },
      ...(startedAt === undefined ? {} : { startedAt }),
      finishedAt: now,
      totals,
      outputGap: true,
      recovered: true,
    }))
    .with({ state: "machine_restarted" }, ({ totals, startedAt }) => ({
      outcome: { kind: "lost", reason: "machine_restarted" },
      ...(startedAt === undefined ? {} : { startedAt }),
      finishedAt: now,
      totals,
      outputGap: true,
      recovered: true,
    }))
    .exhaustive()
}

/**
 * What became of a starting call whose server died (spec kernel.md §15). Row and hint are one transaction, so a call
 * without a hint started nothing.
 */
export async function recoverStart(open: OpenCall, ports: RecoveryPorts): Promise<Recovered | undefined> {
  const jobId = jobIdSchema.safeParse(open.hint?.job_id).data
  if (jobId === undefined) {
    return {
      status: "failed",
      errorKind: "interrupted",
      executionState: "not_started",
      evidence: { command_started: false, execution_state: "not_started" },
    }
  }
  // The call's end is told as "running": the Job's own end is then to be told by `job_finished`, as after a hand-over.
  const found = await ports.store.write((tx) =>
    changeJob(tx, jobId, (job) => (job.handedOver ? undefined : asHandedOver(job))),
  )
  return found === undefined ? undefined : recoveredFrom(found.job)
}

function recoveredFrom(job: Job): Recovered {
  const { executionState, jobId } = job
  const expectation = jobExpectation(job)
  const known = { evidence: evidenceOf(job), jobId, ...(expectation === undefined ? {} : { expectation }) }
  if (!isTerminal(job.status)) return { status: "succeeded", executionState: "running", ...known }
  const failure = failureOf(job, {})
  if (failure === undefined && job.outcome !== undefined) return { status: "succeeded", executionState, ...known }
  return { status: "failed", errorKind: failure?.kind ?? "spawn_failed", executionState, ...known }
}

/** Execution truth of a Job for the ledger (spec sessions.md §5.2). */
export function evidenceOf(
  job: Pick<Job, "executionState" | "startedAt" | "status">,
): NonNullable<Recovered["evidence"]> {
  return {
    command_started: job.startedAt !== undefined,
    command_completed: job.executionState === "completed",
    execution_state: job.executionState,
  }
}
