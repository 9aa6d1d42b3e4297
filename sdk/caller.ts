import { type RetryPolicy, retryOption, timeoutOption } from "./configuration.ts"
import { type ExecutionState, HoldfastError } from "./error.ts"
import { delayBefore, isRepeatable, pause } from "./retry.ts"
import type { AttemptEnd, Transport, WireResult } from "./transport.ts"
import type { CallOptions } from "./types.ts"

/** Told after every attempt; it never sees input, output or token (spec doors.md §5.1). */
export interface AttemptReport {
  readonly tool: string
  readonly attempt: number
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
  /** Whether a tool only observes: nothing of it can be left half done. */
  readonly observes: (tool: string) => boolean
}

/** A ToolResult with what its transport knew. */
export interface Answer {
  readonly result: WireResult
  readonly status: number
  readonly requestId: string | undefined
  readonly attempts: number
}

/** Makes one logical call: all attempts under one key and one deadline (spec doors.md §5.4). */
export type CallTool = (tool: string, input: object, options?: CallOptions) => Promise<Answer>

/** The attempt loop over a transport. */
export function createCaller(settings: CallerSettings): CallTool {
  return (tool, input, options = {}) => new LogicalCall(settings, { tool, input, options }).run()
}

interface CallRequest {
  readonly tool: string
  readonly input: object
  readonly options: CallOptions
}

/** One call with its lifetime: deadline, abort, and the last attempt's end. */
class LogicalCall {
  readonly #settings: CallerSettings
  readonly #request: CallRequest
  readonly #policy: RetryPolicy
  readonly #timeoutMs: number
  readonly #key: string
  readonly #startedAt: number = Date.now()
  readonly #stop: AbortController = new AbortController()
  #attempts = 0
  #refreshes = 0

  constructor(settings: CallerSettings, request: CallRequest) {
    this.#settings = settings
    this.#request = request
    this.#policy = request.options.retry === undefined ? settings.retry : retryOption(request.options.retry)
    this.#timeoutMs =
      request.options.timeoutMs === undefined ? settings.timeoutMs : timeoutOption(request.options.timeoutMs)
    this.#key = request.options.idempotencyKey ?? uuid()
  }

  async run(): Promise<Answer> {
    const { signal } = this.#request.options
    signal?.throwIfAborted()
    const abort = (): void => this.#stop.abort(signal?.reason)
    signal?.addEventListener("abort", abort, { once: true })
    const timer = setTimeout(() => this.#stop.abort(this.#timedOut()), this.#timeoutMs)
    try {
      return await this.#attemptUntilSettled()
    } catch (error) {
      if (this.#stop.signal.aborted && this.#attempts > 0) this.#cancel()
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
    }
  }

  async #attemptUntilSettled(): Promise<Answer> {
    for (;;) {
      const end = await this.#attempt()
      if (end.kind === "answered" && end.tokenRefreshed && this.#refreshes === 0) {
        this.#refreshes += 1
        continue
      }
      const repeat = this.#attempts - 1 - this.#refreshes
      if (!isRepeatable(end) || repeat >= this.#policy.max) return this.#settle(end)
      const delay = delayBefore(repeat, end, this.#policy)
      if (delay >= this.#remainingMs()) return this.#settle(end)
      await pause(delay, this.#stop.signal)
    }
  }

  async #attempt(): Promise<AttemptEnd> {
    this.#attempts += 1
    const startedAt = Date.now()
    const { tool, input, options } = this.#request
    const end = await this.#settings.transport.attempt({
      tool,
      input,
      recordingSessionId: options.recordingSessionId ?? this.#settings.recordingSessionId,
      idempotencyKey: this.#key,
      waitSecs: Math.max(1, Math.floor(this.#remainingMs() / 1_000) - 2),
      maxChars: options.maxChars,
      signal: this.#stop.signal,
    })
    const answered = end.kind === "answered" ? end : undefined
    this.#settings.onAttempt?.({
      tool,
      attempt: this.#attempts,
      status: answered?.status,
      durationMs: Date.now() - startedAt,
      requestId: answered?.requestId,
    })
    return end
  }

  #settle(end: AttemptEnd): Answer {
    const { tool } = this.#request
    const attempts = this.#attempts
    if (end.kind === "failed") {
      throw new HoldfastError({
        kind: "connection_failed",
        message: end.mayHaveArrived
          ? `The connection failed during ${tool}; observe what happened before you repeat it with another key.`
          : `No server could be reached for ${tool}; start it or correct baseUrl.`,
        recovery: end.mayHaveArrived ? "reobserve" : "retry_later",
        executionState: this.#stateUnless(end.mayHaveArrived ? "outcome_unknown" : "not_started"),
        tool,
        attempts,
        cause: end.cause,
      })
    }
    if (end.result !== undefined) return { result: end.result, status: end.status, requestId: end.requestId, attempts }
    throw new HoldfastError({
      kind: "invalid_response",
      message: `The answer to ${tool} (status ${end.status}) is no ToolResult; check that baseUrl names a Holdfast server.`,
      recovery: "reobserve",
      executionState: this.#stateUnless("outcome_unknown"),
      tool,
      status: end.status,
      requestId: end.requestId,
      attempts,
    })
  }

  #timedOut(): HoldfastError {
    const { tool } = this.#request
    return new HoldfastError({
      kind: "client_timeout",
      message: `${tool} was not answered within ${this.#timeoutMs} ms; observe what happened, or allow more time with timeoutMs.`,
      recovery: "reobserve",
      executionState: this.#stateUnless("outcome_unknown"),
      tool,
      attempts: this.#attempts,
    })
  }

  #stateUnless(state: ExecutionState): ExecutionState | undefined {
    return this.#settings.observes(this.#request.tool) ? undefined : state
  }

  #cancel(): void {
    if ((this.#request.options.onAbort ?? this.#settings.onAbort) === "cancel")
      this.#settings.transport.cancel(this.#key)
  }

  #remainingMs(): number {
    return this.#timeoutMs - (Date.now() - this.#startedAt)
  }
}

/** A version 4 UUID also where a page has no secure context. */
function uuid(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6)
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}
