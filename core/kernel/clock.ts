/** Time as core sees it (design §5): tests inject a fake one. */
export interface Clock {
  /** Wall clock, integer milliseconds since 1970; may jump. For records only. */
  now(): number
  /** Milliseconds of a clock that never goes back and counts suspended time; for durations and deadlines. */
  monotonic(): number
  /** Resolves after `ms` by the monotonic clock, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `fire` once after `ms` by the monotonic clock, unless the returned function is called before. */
  after(ms: number, fire: () => void): () => void
}
