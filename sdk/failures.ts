import type { Settled } from "./attempts.ts"
import { type ExecutionState, HoldfastError } from "./error.ts"
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

function stateOf({ observe }: Requested, state: ExecutionState): ExecutionState | undefined {
  return observe ? undefined : state
}

/** No attempt was answered (spec doors.md §5.3). */
export function connectionFailed(of: Requested, { end, attempts, arrived }: Settled): HoldfastError {
  const { name, tool } = of
  return new HoldfastError({
    kind: "connection_failed",
    message: arrived
      ? `The connection failed during ${name}; observe what happened before you send it again.`
      : `No server could be reached for ${name}; start it or correct baseUrl.`,
    recovery: arrived ? "reobserve" : "retry_later",
    executionState: stateOf(of, arrived ? "outcome_unknown" : "not_started"),
    tool,
    attempts,
    cause: end.kind === "failed" ? end.cause : undefined,
  })
}

/** The time of the request is over. */
export function timedOut(of: Requested, timeoutMs: number, attempts: number): HoldfastError {
  return unknownOutcome(of, {
    kind: "client_timeout",
    message: `${of.name} was not answered within ${timeoutMs} ms; observe what happened, or raise timeoutMs.`,
    attempts,
  })
}

/** An answer that no Holdfast server gives. */
export function invalidResponse(of: Requested, { status, requestId, attempts }: Answered): HoldfastError {
  return unknownOutcome(of, {
    kind: "invalid_response",
    message: `The answer to ${of.name} (status ${status}) is no ToolResult; check that baseUrl names a Holdfast server.`,
    status,
    requestId,
    attempts,
  })
}

function unknownOutcome(
  of: Requested,
  facts: { readonly kind: string; readonly message: string } & Partial<Answered>,
): HoldfastError {
  return new HoldfastError({
    ...facts,
    recovery: "reobserve",
    executionState: stateOf(of, "outcome_unknown"),
    tool: of.tool,
  })
}

/** A refusal or a tool's failure, as the server told it (spec kernel.md §6). */
export function toolFailed(
  of: Requested,
  { error, output }: { readonly error: ToolErrorBody; readonly output?: object | undefined },
  answer: Answered & Pick<Settled, "arrived">,
): HoldfastError {
  const { kind, message, recovery, details, execution_state } = error
  const { status, requestId, attempts, arrived } = answer
  const refused = kind === "call_in_progress" ? "running" : arrived ? "outcome_unknown" : "not_started"
  return new HoldfastError({
    kind,
    message,
    recovery,
    details,
    executionState: execution_state ?? (status === 200 ? undefined : stateOf(of, refused)),
    output,
    tool: of.tool,
    status,
    requestId,
    attempts,
  })
}
