import { availableParallelism } from "node:os"

/** A builtin is over sooner. */
const LONGEST_MS = 0.1
/** After a command that took longer the next one is not waited for. */
const QUICK_MS = 0.3

/**
 * Waits without sleeping for what comes in microseconds: being put to sleep and woken costs more than a builtin takes. Only where
 * the shell has a processor to itself, for one command at a time, and after one that was as quick: nobody else is held up.
 */
export interface BriefWait {
  /** A command begins. */
  begin(): void
  /** It has ended. */
  end(): void
  /** Asks again and again, for 0.1 ms at most; whether the answer was yes. */
  until(isThere: () => boolean): boolean
}

/** For all shells of a host. */
export function createBriefWait(processors = availableParallelism()): BriefWait {
  let running = 0
  let begunAt = 0
  let wasQuick = true
  return {
    begin() {
      running += 1
      begunAt = performance.now()
    },
    end() {
      if (running === 1) wasQuick = performance.now() - begunAt < QUICK_MS
      running -= 1
    },
    until(isThere) {
      if (processors < 2 || running > 1 || !wasQuick) return false
      const giveUpAt = performance.now() + LONGEST_MS
      while (performance.now() < giveUpAt) if (isThere()) return true
      return false
    },
  }
}
