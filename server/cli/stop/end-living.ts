import type { SocketCarrier } from "../../../adapters/runners/local/index.ts"
import type { Job } from "../../../core/jobs/record.ts"
import { recoverJobs } from "../../../core/jobs/recovery.ts"
import type { JobRunner } from "../../../core/jobs/runner.ts"
import { type SettlePorts, settleJob } from "../../../core/jobs/settle.ts"
import { isTerminal } from "../../../core/jobs/states.ts"
import type { Clock } from "../../../core/kernel/clock.ts"
import { type ShellPorts, settleShell } from "../../../core/shells/commit.ts"
import type { Shell } from "../../../core/shells/record.ts"
import { recoverShells } from "../../../core/shells/recovery.ts"
import { isEnded } from "../../../core/shells/states.ts"
import type { Store } from "../../../core/store.ts"

/** What ends things, and stores that they ended. */
export interface EndingPorts extends SettlePorts, ShellPorts {
  readonly carrier: SocketCarrier
  readonly clock: Clock
}

/** What was alive when it was asked, by the ids that people know. */
export interface EndedThings {
  readonly shells: readonly string[]
  readonly jobs: readonly string[]
  /** Detached Jobs that were left alone. */
  readonly going_on: readonly string[]
}

const GRACE_MS = 500
/** A server commits the end of a Job together with the end of the call that waits for it. */
const CALL_WITHIN_MS = 1000
const LOOK_EVERY_MS = 50

/**
 * Ends every shell and attached Job of the data directory, detached ones too where `all`, cause `shutdown`, and stores each end
 * as a server would: whether one runs or not, nothing of it is told as living again (spec exec-and-jobs.md §6.1, §6.4).
 */
export async function endLiving(ports: EndingPorts, all: boolean): Promise<EndedThings> {
  const { carrier } = ports
  const rows = await rowsOf(ports.store)
  // A host tells what really lives; one of a detached Job is met by a shared one alone.
  if (rows.shells.length + rows.jobs.length > 0) await carrier.meet(true)
  const { shells, jobs } = await living(carrier, rows)
  const going = all ? [] : jobs.filter(({ kind }) => kind === "detached")
  const ending = jobs.filter((job) => !going.includes(job))
  const runner = hosted(carrier)
  await settleOld(ports, runner)
  await Promise.all(
    shells.map(({ shellUid }) => carrier.shells.close(shellUid, { reason: "shutdown", background: "kill" })),
  )
  await Promise.all(ending.map(({ jobId }) => carrier.jobs.stop(jobId, { cause: "shutdown", graceMs: GRACE_MS })))
  for (const { shellUid } of shells) await settleShell(ports, runner, shellUid)
  for (const job of ending) await settleEnd(ports, carrier.jobs, job)
  await carrier.shutDown()
  return {
    shells: shells.map(({ shellId }) => shellId),
    jobs: ending.map(({ jobId }) => jobId),
    going_on: going.map(({ jobId }) => jobId),
  }
}

interface Rows {
  readonly shells: readonly Shell[]
  readonly jobs: readonly Job[]
}

const rowsOf = (store: Store): Promise<Rows> =>
  store.read(async (tx) => ({ shells: await tx.shells.live({}), jobs: await tx.jobs.active({}) }))

const hosted = ({ jobs, shells }: SocketCarrier) => ({ jobs, shells })

/** Rows may tell of what ended while no server was there. */
async function living({ jobs, shells }: SocketCarrier, rows: Rows): Promise<Rows> {
  const [runs, held] = await Promise.all([jobs.inventory(), shells.inventory()])
  const runningJobs = new Set(runs.filter(({ state }) => state !== "ended").map(({ jobId }) => jobId))
  const openShells = new Set(held.filter(({ state }) => !isEnded(state)).map(({ shellUid }) => shellUid))
  return {
    shells: rows.shells.filter(({ shellUid }) => openShells.has(shellUid)),
    jobs: rows.jobs.filter(({ jobId }) => runningJobs.has(jobId)),
  }
}

/** What is over already: no server may have been there to store it. */
async function settleOld(ports: EndingPorts, runner: ReturnType<typeof hosted>): Promise<void> {
  const runners = { get: () => runner }
  for (const { shellUid } of await runner.shells.inventory()) await settleShell(ports, runner, shellUid)
  await recoverShells({ ...ports, runners }, [])
  await recoverJobs({ ...ports, runners }, [])
}

async function settleEnd(ports: EndingPorts, runner: JobRunner, { jobId }: Job): Promise<void> {
  const until = ports.clock.monotonic() + CALL_WITHIN_MS
  while (ports.clock.monotonic() < until) {
    const isOthers = await ports.store.read(async (tx) => {
      const job = await tx.jobs.byId(jobId)
      if (job === undefined || isTerminal(job.status)) return undefined
      return !job.handedOver && (await tx.openCalls.exists(job.callId))
    })
    if (isOthers === undefined) return runner.ack([jobId])
    if (!isOthers) break
    await ports.clock.sleep(LOOK_EVERY_MS)
  }
  await settleJob(ports, runner, jobId)
  await runner.ack([jobId])
}
