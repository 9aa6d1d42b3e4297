import type { SqliteConnection } from "./connection.ts"
import { isBusy, storageFailure } from "./failure.ts"

/** How long a writer waits for the lock (design §6). */
const PATIENCE_MS = 5000

const MAX_PAUSE_MS = 20

/** Time and chance as waiting for a lock uses them; both are injected so that tests control them. */
export interface Patience {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  /** 0 ≤ x < 1. */
  readonly random: () => number
}

/** The system's time and chance. */
export const systemPatience: Patience = {
  now: () => performance.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
}

/**
 * Runs `attempt` at once; while it throws SQLITE_BUSY, waits with growing, jittered pauses and gives up with
 * `storage_unavailable` after 5 s. `undefined`: it has run, and nothing has to be awaited.
 */
export function whileBusy(attempt: () => void, patience: Patience): Promise<void> | undefined {
  return isRefused(attempt) ? tryAgain(attempt, patience) : undefined
}

async function tryAgain(attempt: () => void, patience: Patience): Promise<void> {
  const giveUpAt = patience.now() + PATIENCE_MS
  for (let pause = 1; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    await patience.pause(pause * (0.5 + patience.random()))
    if (!isRefused(attempt, patience.now() >= giveUpAt)) return
  }
}

/** Whether another connection has the lock; the last attempt throws that instead. */
function isRefused(attempt: () => void, isLast = false): boolean {
  try {
    attempt()
    return false
  } catch (error) {
    if (!isBusy(error) || isLast) throw storageFailure(error)
    return true
  }
}

/**
 * Takes the write lock. SQLite itself blocks the event loop only for the connection's short busy time; the rest of the
 * 5 s is waited in pauses that let other work run.
 */
export function beginImmediate(connection: SqliteConnection, patience: Patience): Promise<void> | undefined {
  return whileBusy(() => connection.command("begin immediate"), patience)
}
