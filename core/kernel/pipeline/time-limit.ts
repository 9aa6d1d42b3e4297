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
  if (!Number.isFinite(left)) return ended
  const timer = new AbortController()
  const passed = clock.sleep(left, timer.signal).then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([ended, passed])
  } finally {
    // A reason of its own: the default one costs a stack trace in every call.
    timer.abort("ended")
  }
}
