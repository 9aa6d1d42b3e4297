import { createBackground } from "../kernel/background.ts"
import type { Clock } from "../kernel/clock.ts"
import type { JobId } from "../kernel/ids.ts"
import { isUnreachable } from "./reachable.ts"
import type { Job } from "./record.ts"
import { markRecovering } from "./recovery.ts"
import type { JobRunner, RunFacts } from "./runner.ts"
import { type SettlePorts, settleJob } from "./settle.ts"

const RUNNING_AFTER_MS = 150
/** After news nobody asks again for so long: a quick command is over and acknowledged by then, and is no news any more. */
const GATHER_MS = 20
const LOOK_EVERY_MS = 2000
const CALL_GRACE_MS = 5000
const STOP_GRACE_MS = 2000
const KEEP_EVERY_MS = 60_000
const QUICK_RETENTION_MS = 24 * 3_600_000
const OTHER_RETENTION_MS = 7 * 24 * 3_600_000
const KEPT_ROWS = 20_000
const REMOVE_AT_ONCE = 200

/**
 * Follows every execution of this process's Runners: commits `running` and the ends of Jobs whose calls stopped waiting,
 * evicts spools, removes rows whose retention is over (spec exec-and-jobs.md §5.3, §6.1, §7.1).
 */
export interface JobSupervisor {
  start(): void
  /**
   * Stops following and commits every end that is known by then. The composition root closes hosts before and the store
   * after it.
   */
  close(): Promise<void>
}

/** What a supervisor needs; failures of the store are told to `report` and tried again. */
export interface SupervisorPorts extends SettlePorts {
  readonly clock: Clock
  readonly runners: readonly JobRunner[]
  report(error: unknown): void
}

/** Ended so soon that its call had hardly begun to wait. */
function isMomentary({ startedAt, finishedAt }: RunFacts): boolean {
  return (finishedAt ?? 0) - (startedAt ?? 0) < RUNNING_AFTER_MS
}

const isLive = (facts: RunFacts | undefined): boolean => facts?.state === "running" || facts?.state === "queued"

/** One supervisor a server process. */
export function createJobSupervisor(ports: SupervisorPorts): JobSupervisor {
  const background = createBackground(ports)
  const { signal } = background

  async function follow(runner: JobRunner): Promise<void> {
    let since = 0
    while (!signal.aborted) {
      try {
        const { sequence, jobIds } = await runner.events({ since, signal })
        since = sequence
        for (const jobId of jobIds) background.run(() => attend(runner, jobId))
        await ports.clock.sleep(GATHER_MS, signal)
      } catch (error) {
        if (!isUnreachable(error)) throw error
        await ports.clock.sleep(LOOK_EVERY_MS, signal)
      }
    }
  }

  /** A call that still waits commits its own end; what ends within moments is nearly always such a call's. */
  async function attend(runner: JobRunner, jobId: JobId): Promise<void> {
    let facts = await runner.facts(jobId)
    if (facts?.state !== "ended" || isMomentary(facts)) {
      await ports.clock.sleep(RUNNING_AFTER_MS, signal)
      facts = await runner.facts(jobId)
    }
    if (facts === undefined) return
    const job = facts.state === "ended" ? await ports.store.read((tx) => tx.jobs.byId(jobId)) : undefined
    if (facts.state !== "ended" || job?.handedOver === true) await settleJob(ports, runner, jobId)
  }

  async function settleEnded(runner: JobRunner, endedBefore: number): Promise<void> {
    for (const facts of await runner.inventory()) {
      if (facts.state !== "ended" || (facts.finishedAt ?? 0) > endedBefore) continue
      await settleJob(ports, runner, facts.jobId)
      await runner.ack([facts.jobId])
    }
  }

  /** What rows want of the host: a stop that was asked for elsewhere, or while it was out of reach; and to be met again. */
  async function carryOut(runner: JobRunner): Promise<void> {
    const rows = await ports.store.read((tx) => tx.jobs.active({}))
    if (rows.length === 0) return
    const held = new Map((await inventoryOf(runner, rows)).map((facts) => [facts.jobId, facts]))
    const wanted = rows.filter((job) => job.stopCause === "stop_job" && isLive(held.get(job.jobId)))
    const found = rows.filter((job) => job.status === "recovering" && held.has(job.jobId))
    await Promise.all([
      ...wanted.map((job) => runner.stop(job.jobId, { cause: "stop_job", graceMs: STOP_GRACE_MS })),
      ...found.map((job) => settleJob(ports, runner, job.jobId)),
    ])
  }

  /** While the host is out of reach nothing is known of its Jobs, and the rows say so. */
  async function inventoryOf(runner: JobRunner, rows: readonly Job[]): Promise<readonly RunFacts[]> {
    try {
      return await runner.inventory()
    } catch (error) {
      if (!isUnreachable(error)) throw error
      await markRecovering(ports, rows)
      return []
    }
  }

  async function keepHouse(): Promise<void> {
    const now = ports.clock.now()
    for (const runner of ports.runners) {
      const active = await ports.store.read((tx) => tx.jobs.active({}))
      const evicted = await runner.sweep({ owingHosts: active.flatMap((job) => job.hostId ?? []) })
      if (evicted.length === 0) continue
      await ports.store.write(async (tx) => {
        for (const jobId of evicted) await tx.jobs.evictOutput(jobId)
      })
    }
    await ports.store.write(async (tx) => {
      const bounds = { quickBefore: now - QUICK_RETENTION_MS, otherBefore: now - OTHER_RETENTION_MS }
      await tx.jobs.remove(await tx.jobs.expired({ ...bounds, keepNewest: KEPT_ROWS, limit: REMOVE_AT_ONCE }))
    })
  }

  return {
    start() {
      for (const runner of ports.runners) {
        background.run(() => follow(runner))
        background.repeat(LOOK_EVERY_MS, () => settleEnded(runner, ports.clock.now() - CALL_GRACE_MS))
        background.repeat(LOOK_EVERY_MS, () => carryOut(runner))
      }
      background.repeat(KEEP_EVERY_MS, keepHouse)
    },
    async close() {
      await background.stop()
      for (const runner of ports.runners) await settleEnded(runner, Number.POSITIVE_INFINITY).catch(ports.report)
    },
  }
}
