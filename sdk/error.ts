/** What a caller may usefully do after an error (spec kernel.md §6). */
export type Recovery = "fix_input" | "reobserve" | "retry_same" | "retry_later" | "reauthorize" | "none"

/** How far an execution got when a call ended in an error (spec kernel.md §6). */
export type ExecutionState = "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown"

/** Kinds that only the client can give: no server was reached, none answered in time, or its answer was not one of ours. */
export type ClientErrorKind =
  | "connection_failed"
  | "client_timeout"
  | "invalid_response"
  | "wait_timed_out"
  | "history_lost"
  | "configuration_invalid"

/** The facts of a `HoldfastError`. */
export interface HoldfastErrorFacts {
  /** A kind of the server's closed table or a `ClientErrorKind`; one unknown to this build arrives as it is. */
  readonly kind: string
  readonly message: string
  readonly recovery: Recovery
  readonly executionState?: ExecutionState | undefined
  readonly details?: object | undefined
  readonly output?: object | undefined
  readonly tool?: string | undefined
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly attempts?: number | undefined
  readonly cause?: unknown
}

const BRAND: unique symbol = Symbol.for("holdfast.error")

/**
 * The one error class of the SDK (spec doors.md §5.3). It never holds the token.
 *
 * @example
 * ```ts
 * import { isHoldfastError } from "holdfast/sdk"
 *
 * function nextStep(error: unknown): string {
 *   return isHoldfastError(error) ? error.recovery : "none"
 * }
 * ```
 */
export class HoldfastError extends Error {
  override readonly name: string = "HoldfastError"
  declare readonly kind: string
  declare readonly recovery: Recovery
  declare readonly executionState?: ExecutionState | undefined
  declare readonly details?: object | undefined
  declare readonly output?: object | undefined
  declare readonly tool?: string | undefined
  declare readonly status?: number | undefined
  declare readonly requestId?: string | undefined
  /** Requests that were sent, retries included. */
  declare readonly attempts: number

  constructor({ message, cause, ...facts }: HoldfastErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, { attempts: 0, ...facts })
    Object.defineProperty(this, BRAND, { value: true })
  }

  /** Whether the identical call is safe and useful, now or later. */
  get retryable(): boolean {
    return this.recovery === "retry_same" || this.recovery === "retry_later"
  }

  /** All facts but stack and cause, for logs. */
  toJSON(): object {
    // An error's own message is not enumerable, and neither are stack, cause and brand.
    return { ...this, message: this.message, retryable: this.retryable }
  }
}

/**
 * Whether a thrown value is a `HoldfastError`, by a shared brand: copies of the SDK and other realms agree (spec doors.md §5.3).
 *
 * @example
 * ```ts
 * import { isHoldfastError } from "holdfast/sdk"
 *
 * export const kindOf = (error: unknown): string | undefined => (isHoldfastError(error) ? error.kind : undefined)
 * ```
 */
export function isHoldfastError(value: unknown): value is HoldfastError {
  return typeof value === "object" && value !== null && BRAND in value
}
