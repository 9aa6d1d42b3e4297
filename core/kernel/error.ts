import type { ErrorDetails, ErrorKind } from "./error-kinds.ts"
import { recoveryOf } from "./error-kinds.ts"
import type { ExecutionState, Recovery } from "./errors/row.ts"

/** What a `ToolError` may say beside its kind and sentence. */
export interface ToolErrorOptions<K extends ErrorKind> {
  /** The kind's closed details; a kind without a details row takes none. */
  readonly details?: ErrorDetails<K>
  /** How far an execution got; absent where nothing executes. */
  readonly executionState?: ExecutionState
  /** Only for kinds whose table row names a second recovery. */
  readonly recovery?: Recovery
  /** Milliseconds to wait before `retry_later`. */
  readonly retryAfterMs?: number
  /** What is still true although the call failed: partial items, exit code, ids. */
  readonly output?: object
  /** Logged, never sent. */
  readonly cause?: unknown
}

/**
 * The only error that a handler or a port may throw at a caller (spec kernel.md §6). `message` names the cause and
 * then the next step, ≤ 500 characters, without secrets and without absolute paths the caller did not send.
 */
export class ToolError<K extends ErrorKind = ErrorKind> extends Error {
  override readonly name = "ToolError"
  readonly kind: K
  readonly recovery: Recovery
  readonly details: ErrorDetails<K> | undefined
  readonly executionState: ExecutionState | undefined
  readonly retryAfterMs: number | undefined
  readonly output: object | undefined

  constructor(kind: K, message: string, options: ToolErrorOptions<K> = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.recovery = options.recovery ?? recoveryOf(kind)
    this.details = options.details
    this.executionState = options.executionState
    this.retryAfterMs = options.retryAfterMs
    this.output = options.output
  }
}

/** The same error with some of what it says replaced. */
export function restate<K extends ErrorKind>(error: ToolError<K>, changes: ToolErrorOptions<K>): ToolError<K> {
  const { details, executionState, retryAfterMs, output } = error
  return new ToolError(error.kind, error.message, {
    recovery: error.recovery,
    cause: error.cause,
    ...(details === undefined ? {} : { details }),
    ...(executionState === undefined ? {} : { executionState }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(output === undefined ? {} : { output }),
    ...changes,
  })
}

/** Whether a thrown value is a ToolError, by its name and kind rather than its prototype (copies of core agree). */
export function isToolError(value: unknown): value is ToolError {
  return value instanceof Error && value.name === "ToolError" && "kind" in value
}
