import type { ShellLife } from "./life.ts"

/** Says when a shell's idle time has to be looked at again, ms, and closes it when that is over (spec shells.md §3). */
export function createIdleWatch(
  life: ShellLife,
  ports: {
    /** Somebody has the shell or waits for it. */
    isWanted(): boolean
    close(): Promise<unknown>
    now(): number
  },
): () => Promise<number | undefined> {
  return async () => {
    if (life.closedAt !== undefined || life.spec.idleTtlMs === 0) return undefined
    if (life.running !== undefined || ports.isWanted()) return life.spec.idleTtlMs
    const idleMs = ports.now() - life.lastUsedAt
    if (idleMs < life.spec.idleTtlMs) return life.spec.idleTtlMs - idleMs
    const background = (await life.seat?.background()) ?? []
    if (background.length > 0 && idleMs < life.spec.backgroundTtlMs) return life.spec.backgroundTtlMs - idleMs
    await ports.close()
    return undefined
  }
}

const EXTRA_MS = 10
const MAX_TIMER_MS = 86_400_000

/** One timer for all shells of a host; nothing wakes up while none is due. */
export interface IdleClock {
  /** Something changed when shells are due. */
  arm(): void
  stop(): void
}

/** Looks at each shell and comes back when the first one is due. */
export function createIdleClock(shells: () => Iterable<{ lookIdle(): Promise<number | undefined> }>): IdleClock {
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let stopped = false

  function schedule(inMs: number): void {
    const at = performance.now() + inMs
    if (stopped || (timer !== undefined && dueAt <= at)) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => void round(), Math.min(inMs + EXTRA_MS, MAX_TIMER_MS))
    timer.unref()
  }

  async function round(): Promise<void> {
    timer = undefined
    dueAt = Number.POSITIVE_INFINITY
    for (const shell of shells()) {
      const inMs = await shell.lookIdle()
      if (inMs !== undefined) schedule(inMs)
    }
  }

  return {
    arm: () => void round(),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
