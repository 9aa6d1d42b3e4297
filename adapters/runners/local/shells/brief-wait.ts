import { availableParallelism } from "node:os"

/** A builtin is over sooner. */
const LONGEST_MS = 0.1
/** After a command that took longer the next one is not waited for. */
const QUICK_MS = 0.3
/** Waits in one turn of the event loop: a caller that never sleeps itself must not keep everybody else out. */
const MOST_A_TURN = 32

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
  let waits = 0

  function isLastOfTurn(): boolean {
    waits += 1
    if (waits === 1) {
      setImmediate(() => {
        waits = 0
      })
    }
    return waits > MOST_A_TURN
  }

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
      if (processors < 2 || running > 1 || !wasQuick || isLastOfTurn()) return false
      const giveUpAt = performance.now() + LONGEST_MS
      while (performance.now() < giveUpAt) if (isThere()) return true
      return false
    },
  }
}
