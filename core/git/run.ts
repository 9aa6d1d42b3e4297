/** How long one call of the `Git` port may take and what ends it early. */
export interface GitRun {
  /** Milliseconds for all git processes of the call together, ≤ 30,000. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}
