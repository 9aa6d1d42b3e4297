import type { Store } from "../store.ts"
import type { Clock } from "./clock.ts"
import type { InstanceId } from "./ids.ts"
import type { Instance, ProcessProbe } from "./instances.ts"

/** An instance without a sign of life for this long is dead, unless its process is proven gone earlier (spec kernel.md §15). */
export const DEAD_AFTER_MS = 30_000
/** Own renewals at most this far apart make a process fit to judge others by age. */
const STEADY_GAP_MS = 15_000

interface Moment {
  readonly wall: number
  readonly monotonic: number
}

/** What a process needs to show that it lives and to tell which others do not. */
export interface PresenceParts {
  readonly store: Store
  readonly clock: Clock
  readonly probe: ProcessProbe
  readonly instance: InstanceId
}

/** This process among those that share a data directory (table `instances`, spec kernel.md §15). */
export class Presence {
  readonly #parts: PresenceParts
  #renewed: Moment | undefined
  #isSteady = false
  #judgesFrom = 0

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  /** Makes this process's row. */
  async register(): Promise<void> {
    const { store, clock, probe, instance } = this.#parts
    const now = clock.now()
    await store.write((tx) => tx.instances.insert({ instance, ...probe.self(), startedAt: now, seenAt: now }))
    this.#note()
  }

  /** Shows that this process lives; every 10 s. */
  async renew(): Promise<void> {
    const { store, clock, instance } = this.#parts
    await store.write((tx) => tx.instances.renew(instance, clock.now()))
    this.#note()
  }

  /** The other instances whose calls may be recovered: proven gone, or without a sign of life for too long. */
  async dead(): Promise<readonly InstanceId[]> {
    const { store, instance } = this.#parts
    const others = (await store.read((tx) => tx.instances.list())).filter((other) => other.instance !== instance)
    const byAge = this.#mayJudgeByAge()
    return others.filter((other) => this.#isDead(other, byAge)).map((other) => other.instance)
  }

  /** Removes this process's row, unless calls of it are open: recovery then needs it. */
  async leave(): Promise<void> {
    const { store, instance } = this.#parts
    await store.write(async (tx) => {
      const open = await tx.openCalls.ofInstances([instance])
      if (open.length === 0) await tx.instances.remove(instance)
    })
  }

  #isDead(other: Instance, byAge: boolean): boolean {
    const { probe, clock } = this.#parts
    return probe.isGone(other) || (byAge && clock.now() - other.seenAt >= DEAD_AFTER_MS)
  }

  /**
   * A process that was itself suspended sees everybody as old. Only after two renewals close together by both clocks may it
   * judge; after a longer gap it waits first, so that the others can renew.
   */
  #mayJudgeByAge(): boolean {
    const last = this.#renewed
    const now = this.#moment()
    return this.#isSteady && last !== undefined && gap(last, now) <= STEADY_GAP_MS && now.monotonic >= this.#judgesFrom
  }

  #note(): void {
    const now = this.#moment()
    const last = this.#renewed
    this.#isSteady = last !== undefined && gap(last, now) <= STEADY_GAP_MS
    if (last !== undefined && !this.#isSteady) this.#judgesFrom = now.monotonic + STEADY_GAP_MS
    this.#renewed = now
  }

  #moment(): Moment {
    const { clock } = this.#parts
    return { wall: clock.now(), monotonic: clock.monotonic() }
  }
}

function gap(earlier: Moment, later: Moment): number {
  return Math.max(Math.abs(later.wall - earlier.wall), later.monotonic - earlier.monotonic)
}
