/** One attempt of one call. */
export interface Attempt {
  readonly tool: string
  readonly input: object
  readonly recordingSessionId: string | undefined
  readonly ackSessionMessageIds: readonly string[] | undefined
  /** The same for all attempts of a call. */
  readonly idempotencyKey: string
  /** Whole seconds after which the server should hand over; ≥ 1. */
  readonly waitSecs: number
  readonly maxChars: number | undefined
  /** The same object for all attempts of a call. */
  readonly signal: AbortSignal
}

/** How one attempt ended. */
export type AttemptEnd =
  | {
      readonly kind: "answered"
      readonly status: number
      /** The body as JSON gave it, not yet checked; `undefined` when it was none. */
      readonly result: unknown
      readonly requestId: string | undefined
      /** Stated by the server beside the body, ms. */
      readonly retryAfterMs: number | undefined
      /** The token was refused and a token function gave another one: the next attempt uses it. */
      readonly tokenRefreshed: boolean
    }
  | {
      readonly kind: "failed"
      readonly cause: unknown
      /** Whether the request can have reached a server. */
      readonly mayHaveArrived: boolean
    }

/**
 * Carries attempts to a server: HTTP, or a kernel of the same process (spec doors.md §6). It rejects only after an abort, or
 * with what a caller's own token function threw.
 */
export interface Transport {
  attempt(attempt: Attempt): Promise<AttemptEnd>
  /** Asks the server to cancel the call of this key; best effort, not awaited. */
  cancel(idempotencyKey: string): void
}
