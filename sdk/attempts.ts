import type { RetryPolicy } from "./configuration.ts"
import type { HoldfastError } from "./error.ts"
import { delayBefore, pause } from "./retry.ts"
import type { AttemptEnd } from "./transport.ts"
import { isToolResult } from "./wire-result.ts"

/** One logical request: how it is attempted and when that ends. */
export interface AttemptPlan {
  /** Ms for all attempts and delays. */
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  readonly signal: AbortSignal | undefined
  attempt(signal: AbortSignal, remainingMs: number): Promise<AttemptEnd>
  /** Whether the identical request may help after this end. */
  repeats(end: AttemptEnd): boolean
  /** What the request rejects with when its time is over. */
  timedOut(attempts: number): HoldfastError
  /** Told once when caller or clock gave up after an attempt had begun. */
  abandoned(): void
}

/** The last attempt's end. */
export interface Settled {
  readonly end: AttemptEnd
  readonly attempts: number
  /** Whether an attempt that gave no ToolResult can have reached the server. */
  readonly arrived: boolean
}

/** Attempts until one settles, under one deadline and one abort (spec doors.md §5.4); rejects with the reason of an abort. */
export async function attemptUntilSettled(plan: AttemptPlan): Promise<Settled> {
  const { signal, timeoutMs, retry } = plan
  signal?.throwIfAborted()
  const stop = new AbortController()
  const abort = (): void => stop.abort(signal?.reason)
  signal?.addEventListener("abort", abort, { once: true })
  const until = performance.now() + timeoutMs
  const remainingMs = (): number => until - performance.now()
  let attempts = 0
  let refreshes = 0
  let arrived = false
  const timer = setTimeout(() => stop.abort(plan.timedOut(attempts)), timeoutMs)
  try {
    for (;;) {
      attempts += 1
      const end = await unlessAborted(plan.attempt(stop.signal, remainingMs()), stop.signal)
      arrived ||= end.kind === "failed" ? end.mayHaveArrived : !isToolResult(end.result)
      if (end.kind === "answered" && end.tokenRefreshed && refreshes === 0) {
        refreshes = 1
        continue
      }
      const repeat = attempts - 1 - refreshes
      const delay = delayBefore(repeat, end, retry)
      if (repeat >= retry.max || !plan.repeats(end) || delay >= remainingMs()) return { end, attempts, arrived }
      await pause(delay, stop.signal)
    }
  } catch (error) {
    if (stop.signal.aborted) plan.abandoned()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", abort)
  }
}

/** Rejects as soon as the signal aborts, whether or not the work (a token function, an own fetch) heeds it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener("abort", abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })
}
