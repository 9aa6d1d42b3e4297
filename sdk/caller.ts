import { attemptUntilSettled } from "./attempts.ts"
import { keyOption, type RetryPolicy, retryOption, timeoutOption } from "./configuration.ts"
import { connectionFailed, invalidResponse, type Requested, timedOut } from "./failures.ts"
import { OBSERVING_TOOLS } from "./generated/tool-facts.ts"
import { holdsName } from "./name-set.ts"
import { isRepeatable } from "./retry.ts"
import type { Transport } from "./transport.ts"
import type { CallOptions, ToolName, ToolResult } from "./types.ts"
import { isToolResult } from "./wire-result.ts"

/** Told after every attempt; it never sees input, output or token (spec doors.md §5.1). What it throws fails the call. */
export interface AttemptReport {
  readonly tool: string
  readonly attempt: number
  /** Absent when no answer came. */
  readonly status: number | undefined
  readonly durationMs: number
  readonly requestId: string | undefined
}

/** Settings of a client that every call starts from. */
export interface CallerSettings {
  readonly transport: Transport
  readonly timeoutMs: number
  readonly retry: RetryPolicy
  readonly recordingSessionId: string | undefined
  readonly onAbort: "cancel" | "leave"
  readonly onAttempt: ((report: AttemptReport) => void) | undefined
}

/** A ToolResult with what its transport knew. */
export interface Answer<Name extends ToolName> {
  /** What was called, for the sentence of an error. */
  readonly of: Requested
  readonly result: ToolResult<Name>
  readonly status: number
  readonly requestId: string | undefined
  readonly attempts: number
  /** Whether an earlier attempt, of which no ToolResult came back, can have reached the server. */
  readonly arrived: boolean
}

/** Makes one logical call: all attempts under one key and one deadline (spec doors.md §5.4). */
export type CallTool = <Name extends ToolName = ToolName>(
  tool: string,
  input: object,
  options?: CallOptions,
) => Promise<Answer<Name>>

/** Calls over a transport. */
export function createCaller(settings: CallerSettings): CallTool {
  const { transport } = settings
  return async <Name extends ToolName = ToolName>(tool: string, input: object, options: CallOptions = {}) => {
    const { signal, maxChars, onAbort = settings.onAbort } = options
    const timeoutMs = options.timeoutMs === undefined ? settings.timeoutMs : timeoutOption(options.timeoutMs)
    const idempotencyKey = keyOption(options.idempotencyKey) ?? uuid()
    const call = { name: tool, tool, observe: holdsName(OBSERVING_TOOLS, tool) }
    const report = reporter(settings, tool)
    const settled = await attemptUntilSettled({
      timeoutMs,
      retry: options.retry === undefined ? settings.retry : retryOption(options.retry),
      signal,
      repeats: isRepeatable,
      attempt: (attemptSignal, remainingMs) =>
        report(() =>
          transport.attempt({
            tool,
            input,
            ackSessionMessageIds: options.ackSessionMessageIds,
            recordingSessionId: options.recordingSessionId ?? settings.recordingSessionId,
            idempotencyKey,
            waitSecs: Math.max(1, Math.floor(remainingMs / 1_000) - 2),
            maxChars: maxChars === undefined ? undefined : Math.min(Math.max(Math.trunc(maxChars), 1_000), 4_000_000),
            signal: attemptSignal,
          }),
        ),
      timedOut: (attempts) => timedOut(call, timeoutMs, attempts),
      abandoned: () => {
        if (onAbort === "cancel") transport.cancel(idempotencyKey)
      },
    })
    const { end } = settled
    if (end.kind === "failed") throw connectionFailed(call, settled)
    if (!isToolResult<Name>(end.result)) throw invalidResponse(call, { ...settled, ...end })
    return { of: call, ...settled, ...end, result: end.result }
  }
}

type Attempted = ReturnType<Transport["attempt"]>

/** Numbers the attempts of one call and tells the hook of each. */
function reporter({ onAttempt }: CallerSettings, tool: string): (attempt: () => Attempted) => Attempted {
  let number = 0
  return async (attempt) => {
    number += 1
    const startedAt = performance.now()
    const end = await attempt()
    const answer = end.kind === "answered" ? end : undefined
    const durationMs = performance.now() - startedAt
    onAttempt?.({ tool, attempt: number, status: answer?.status, durationMs, requestId: answer?.requestId })
    return end
  }
}

/** A version 4 UUID. A page without a secure context has no `crypto.randomUUID`. */
function uuid(): string {
  const random = crypto.getRandomValues(new Uint8Array(36))
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, (_x, at: number) => ((random[at] ?? 0) % 16).toString(16))
}
