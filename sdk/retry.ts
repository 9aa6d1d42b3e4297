import type { RetryPolicy } from "./configuration.ts"
import type { AttemptEnd } from "./transport.ts"
import { errorBodyOf } from "./wire-result.ts"

const REPEATED_STATUSES = [408, 429, 502, 503, 504]
const LONGEST_STATED_DELAY_MS = 60_000

/** Whether the identical request may help: no answer, or one that says "not now" (spec doors.md §5.4). */
export function isRepeatable(end: AttemptEnd): boolean {
  if (end.kind === "failed") return true
  return REPEATED_STATUSES.includes(end.status) || errorBodyOf(end.result)?.kind === "call_in_progress"
}

/** Ms before the next attempt: what the server stated (≤ 60 s), else full jitter under an exponential bound. */
export function delayBefore(repeat: number, end: AttemptEnd, policy: RetryPolicy): number {
  const stated = end.kind === "answered" ? (end.retryAfterMs ?? errorBodyOf(end.result)?.retry_after_ms) : undefined
  if (stated !== undefined) return Math.min(stated, LONGEST_STATED_DELAY_MS)
  return Math.random() * Math.min(policy.maxDelayMs, policy.minDelayMs * 2 ** repeat)
}

/** Waits, or rejects with the signal's reason. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort)
      resolve()
    }, ms)
    signal.addEventListener("abort", abort, { once: true })
  })
}
