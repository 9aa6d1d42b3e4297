import type { AbortReason } from "../call.ts"
import type { Effect } from "../definition.ts"
import { isToolError, ToolError } from "../error.ts"
import { ERROR_KINDS } from "../error-kinds.ts"

/** What is known about the call that threw. */
export interface Thrown {
  readonly effect: Effect | undefined
  /** From step 7 on, a change may have happened. */
  readonly entered: boolean
  /** Why the call's signal aborted, if it did. */
  readonly reason?: AbortReason | undefined
}

/**
 * Any thrown value as one of the closed kinds (spec kernel.md §6): a declared ToolError as it is, the abort's own rejection
 * as `cancelled`, anything else as `internal_error`, which `onFault` gets for the log.
 */
export function asToolError(error: unknown, thrown: Thrown, onFault: (error: unknown) => void): ToolError {
  if (isToolError(error) && Object.hasOwn(ERROR_KINDS, error.kind)) return error
  if (thrown.reason !== undefined && isAbort(error, thrown.reason)) return cancelled(thrown.effect)
  onFault(error)
  const mayHaveChanged = thrown.entered && thrown.effect !== "observe"
  return new ToolError(
    "internal_error",
    "The server failed inside this call; the cause is in its log. Look at the state before you decide what to do.",
    { cause: error, ...(mayHaveChanged ? { executionState: "outcome_unknown" } : {}) },
  )
}

function isAbort(error: unknown, reason: AbortReason): boolean {
  return error === reason || (error instanceof Error && error.name === "AbortError")
}

function cancelled(effect: Effect | undefined): ToolError<"cancelled"> {
  return new ToolError("cancelled", "The caller cancelled this call.", {
    details: { by: "caller" },
    ...(effect === "execute" ? { executionState: "cancelled" } : {}),
  })
}

/** The answer of a call whose handler still runs at its deadline (spec kernel.md §10). */
export function deadlineExceeded(effect: Effect): ToolError<"deadline_exceeded"> {
  if (effect === "observe")
    return new ToolError(
      "deadline_exceeded",
      "This call did not end in time and was stopped. Call again, or ask for less.",
      {
        recovery: "retry_same",
      },
    )
  return new ToolError(
    "deadline_exceeded",
    "This call did not end in time; it goes on and its end is recorded. Look at the state before you call again.",
    { executionState: "running" },
  )
}
