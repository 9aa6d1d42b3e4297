import type { InstanceId } from "./ids.ts"
import { Presence, type PresenceParts } from "./presence.ts"
import { type RecoveryParts, recoverCalls } from "./recovery.ts"

const RENEW_EVERY_MS = 10_000
const RECOVER_EVERY_MS = 30_000
const SWEEP_EVERY_MS = 3_600_000
const KEYS_A_SWEEP = 1000
const DAY_MS = 86_400_000
const CREDENTIALS_KEPT_MS = 90 * DAY_MS
const DEAD_INSTANCES_KEPT_MS = 7 * DAY_MS

/** What keeps a data directory in order while a process serves it. */
export interface UpkeepParts extends RecoveryParts, PresenceParts {
  /** Work of other domains for dead instances, done before their calls are judged (Jobs, edit journals). */
  readonly recoverDomains?: (dead: readonly InstanceId[]) => Promise<void>
  /** Retention of other domains, at start and hourly. */
  readonly sweepDomains?: (now: number) => Promise<unknown>
}

/** The running upkeep of one process. */
export interface Upkeep {
  /** One round of recovery now; answers how many ends it told. */
  recover(): Promise<number>
  /** Ends the rounds and takes this process out of the table of instances. */
  stop(): Promise<void>
}

/**
 * Registers this process, recovers what dead ones left, and goes on doing both: a sign of life every 10 s, recovery every
 * 30 s, retention at start and hourly (spec kernel.md §15, doors.md §2.5). Processes that share a directory need no leader.
 */
export async function startUpkeep(parts: UpkeepParts): Promise<Upkeep> {
  const presence = new Presence(parts)
  await presence.register()
  const recover = async (): Promise<number> => {
    const dead = await presence.dead()
    await parts.recoverDomains?.(dead)
    return recoverCalls(parts, dead)
  }
  await recover()
  const ending = new AbortController()
  const rounds = [
    repeat(parts, ending.signal, { everyMs: RENEW_EVERY_MS, work: () => presence.renew() }),
    repeat(parts, ending.signal, { everyMs: RECOVER_EVERY_MS, work: recover }),
    repeat(parts, ending.signal, { everyMs: SWEEP_EVERY_MS, work: () => sweep(parts, presence), atOnce: true }),
  ]
  return {
    recover,
    async stop() {
      ending.abort("shutdown")
      await Promise.all(rounds)
      await presence.leave()
    },
  }
}

interface Round {
  readonly everyMs: number
  readonly work: () => Promise<unknown>
  readonly atOnce?: boolean
}

/** Repeats a round until the end; one that fails is told to the log and tried again the next time. */
async function repeat(
  parts: UpkeepParts,
  ending: AbortSignal,
  { everyMs, work, atOnce = false }: Round,
): Promise<void> {
  let isDue = atOnce
  while (!ending.aborted) {
    if (isDue) await work().catch((error: unknown) => parts.telemetry.fault(error, { requestId: "upkeep" }))
    isDue = true
    await parts.clock.sleep(everyMs, ending).catch(() => undefined)
  }
}

/** Retention: call keys, what domains sweep themselves, credentials, rows of dead instances without open calls. */
async function sweep({ store, clock, sweepDomains }: UpkeepParts, presence: Presence): Promise<void> {
  const now = clock.now()
  let removed = KEYS_A_SWEEP
  while (removed === KEYS_A_SWEEP) removed = await store.write((tx) => tx.callKeys.prune(now, KEYS_A_SWEEP))
  await sweepDomains?.(now)
  const dead = await presence.dead()
  await store.write(async (tx) => {
    await tx.credentials.prune(now - CREDENTIALS_KEPT_MS)
    const old = (await tx.instances.list()).filter(
      (other) => dead.includes(other.instance) && other.seenAt < now - DEAD_INSTANCES_KEPT_MS,
    )
    for (const { instance } of old) {
      const open = await tx.openCalls.ofInstances([instance])
      if (open.length === 0) await tx.instances.remove(instance)
    }
  })
}
