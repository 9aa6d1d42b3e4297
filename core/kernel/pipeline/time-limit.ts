import type { Clock } from "../clock.ts"

/** How long a piece of work may take. */
export interface TimeLimit {
  readonly clock: Clock
  /** ms; asked when the timer is made. `Infinity` = no limit. */
  remainingMs(): number
  /** Turns of the microtask queue that it may take before it costs a timer. */
  readonly quickTurns: number
}

/** Whether the limit comes before the end of the work; work that ends at once never costs a timer. Rejects as the work does. */
export async function outlasts(
  work: Promise<unknown>,
  { clock, remainingMs, quickTurns }: TimeLimit,
): Promise<boolean> {
  let hasEnded = false
  const ended = work.then(() => {
    hasEnded = true
    return false
  })
  for (let turn = 0; turn < quickTurns && !hasEnded; turn++) await undefined
  const left = hasEnded ? Number.POSITIVE_INFINITY : remainingMs()
  // Handed on, not awaited: what waits long holds no more than it needs.
  return Number.isFinite(left) ? endsAfter(clock, left, ended) : ended
}

function endsAfter(clock: Clock, ms: number, ended: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const stop = clock.after(ms, () => resolve(true))
    const end = (settle: () => void): void => {
      stop()
      settle()
    }
    ended.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    )
  })
}
