import type { Settled } from "./attempts.ts"
import { type ExecutionState, HoldfastError, type HoldfastErrorFacts } from "./error.ts"
import type { ToolErrorBody } from "./types.ts"

/** What a failed request was for. */
export interface Requested {
  /** Tool or path, for the sentence. */
  readonly name: string
  readonly tool?: string
  /** Nothing of it can be left half done, so no execution state is told. */
  readonly observe: boolean
}

/** What came back, and after how many attempts. */
export interface Answered {
  readonly status: number
  readonly requestId: string | undefined
  readonly attempts: number
}

/** An error of a request; nothing of an observing one can be left half done. */
function failure(of: Requested, state: ExecutionState, facts: HoldfastErrorFacts): HoldfastError {
  return new HoldfastError({ executionState: of.observe ? undefined : state, tool: of.tool, ...facts })
}

/** No attempt was answered (spec doors.md §5.3). */
export function connectionFailed(of: Requested, { end, attempts, arrived }: Settled): HoldfastError {
  return failure(of, arrived ? "outcome_unknown" : "not_started", {
    kind: "connection_failed",
    message: arrived
      ? `The connection failed during ${of.name}; observe what happened, then send it again.`
      : `No server was reached for ${of.name}; start it or correct baseUrl.`,
    recovery: arrived ? "reobserve" : "retry_later",
    attempts,
    cause: end.kind === "failed" ? end.cause : undefined,
  })
}

/** The time of the request is over. */
export function timedOut(of: Requested, timeoutMs: number, attempts: number): HoldfastError {
  return failure(of, "outcome_unknown", {
    kind: "client_timeout",
    message: `${of.name} was not answered within ${timeoutMs} ms; observe what happened, or raise timeoutMs.`,
    recovery: "reobserve",
    attempts,
  })
}

/** An answer that no Holdfast server gives. */
export function invalidResponse(of: Requested, { status, requestId, attempts }: Answered): HoldfastError {
  return failure(of, "outcome_unknown", {
    kind: "invalid_response",
    message: `${of.name} was answered ${status} without a ToolResult; correct baseUrl.`,
    recovery: "reobserve",
    status,
    requestId,
    attempts,
  })
}

/** A refusal or a tool's failure, as the server told it (spec kernel.md §6). */
export function toolFailed(
  of: Requested,
  { error, output }: { readonly error: ToolErrorBody; readonly output?: object | undefined },
  { status, requestId, attempts, arrived }: Answered & Pick<Settled, "arrived">,
): HoldfastError {
  const { kind, message, recovery, details, execution_state } = error
  const told = execution_state !== undefined || status === 200 ? { executionState: execution_state } : {}
  return failure(of, kind === "call_in_progress" ? "running" : arrived ? "outcome_unknown" : "not_started", {
    kind,
    message,
    recovery,
    details,
    output,
    status,
    requestId,
    attempts,
    ...told,
  })
}
