import type { Caller } from "../access/principal.ts"
import { createBoardKeyring } from "../messages/keys.ts"
import type { CallPorts } from "./call.ts"
import { createDeadline } from "./deadline.ts"
import { ToolError } from "./error.ts"
import { httpStatusOf } from "./error-kinds.ts"
import type { CallAnswer, CallRequest, Kernel } from "./kernel.ts"
import { ActiveCall } from "./pipeline/active-call.ts"
import { errorBody } from "./pipeline/error-body.ts"
import type { KernelParts } from "./pipeline/parts.ts"
import { runCall, type Trace } from "./pipeline/run-call.ts"
import { Rest } from "./rest.ts"
import type { CallFacts } from "./telemetry.ts"

/** What a kernel is built from: the registry, the document's hash, and the ports (spec kernel.md). */
export interface KernelDeps extends Omit<KernelParts, "catalogue" | "boards"> {
  /** Names the documents that this registry projects (spec doors.md §3.2); asked for at the first call. */
  readonly schemaHash: () => string
}

/** Calls in flight get this long to end at shutdown (spec kernel.md §10). */
const DRAIN_MS = 10_000

/** Builds the one pipeline behind every door (spec kernel.md §4). */
export function createKernel({ schemaHash, ...deps }: KernelDeps): Kernel {
  const boards = createBoardKeyring(deps.store)
  return new PipelineKernel({ ...deps, boards, catalogue: deps.registry.catalogue(schemaHash) })
}

/** Keeps only which calls are in flight; no call's result depends on another one (spec kernel.md K-I1). */
class PipelineKernel implements Kernel {
  readonly #parts: KernelParts
  readonly #ports: CallPorts
  readonly #running = new Map<ActiveCall, Promise<unknown>>()
  readonly #byKey = new Map<string, ActiveCall>()
  #draining = false

  constructor(parts: KernelParts) {
    this.#parts = parts
    const { store, clock, ids, signals, secrets, runners, ledger, catalogue, runtime, shells, boards } = parts
    const doing = { store, clock, ids, signals, secrets, runners, ledger }
    this.#ports = Object.freeze({ ...doing, catalogue, runtime, shells, boards })
  }

  call(request: CallRequest): Promise<CallAnswer> {
    if (this.#draining) return Promise.resolve(shuttingDown())
    const { clock } = this.#parts
    const { key, deadlineMs, receivedAt } = request.request
    const startedAt = receivedAt ?? clock.monotonic()
    const active = new ActiveCall(createDeadline(clock, { wholeMs: deadlineMs, receivedAt: startedAt }))
    const keyName = key === undefined ? undefined : nameOf(request.caller, key)
    const { promise, resolve, reject } = Promise.withResolvers<CallAnswer>()
    this.#running.set(active, promise)
    if (keyName !== undefined && !this.#byKey.has(keyName)) this.#byKey.set(keyName, active)
    const stopListening = listen(request.signal, active)
    void this.#run({ request, active, startedAt, keyName, stopListening, promise, resolve, reject })
    return promise
  }

  /** Runs a call to its end, or until it rests: then nothing of this run is held, and another one begins when it is woken. */
  async #run(flight: Flight): Promise<void> {
    const { request, active, startedAt } = flight
    const trace: Trace = {}
    try {
      const answer = await runCall(this.#runningOf(active, trace), request)
      this.#tell(request, { answer, trace, startedAt })
      this.#land(flight)
      flight.resolve(answer)
    } catch (error) {
      if (error instanceof Rest) return this.#rest(flight, error)
      this.#land(flight)
      flight.reject(error)
    }
  }

  #rest(flight: Flight, rest: Rest): void {
    flight.active.restingSince = rest.since
    rest.sleep(flight.active, () => void this.#run(flight))
  }

  #land({ active, keyName, stopListening, promise }: Flight): void {
    stopListening?.()
    if (this.#running.get(active) === promise) this.#running.delete(active)
    if (keyName !== undefined && this.#byKey.get(keyName) === active) this.#byKey.delete(keyName)
  }

  cancel(caller: Caller, key: string): boolean {
    const active = this.#byKey.get(nameOf(caller, key))
    active?.abort("client_cancelled")
    return active !== undefined
  }

  async drain(): Promise<void> {
    this.#draining = true
    for (const active of this.#running.keys()) active.abort("shutdown")
    const ended = Promise.allSettled(this.#running.values())
    const timer = new AbortController()
    await Promise.race([ended, this.#parts.clock.sleep(DRAIN_MS, timer.signal).catch(() => undefined)])
    timer.abort()
  }

  #runningOf(active: ActiveCall, trace: Trace) {
    const onLate = (end: Promise<unknown>): void => {
      const settled = end
        .catch((error: unknown) => this.#parts.telemetry.fault(error, { requestId: "late" }))
        .finally(() => this.#running.delete(active))
      this.#running.set(active, settled)
    }
    return { parts: this.#parts, ports: this.#ports, active, trace, onLate }
  }

  /** Telemetry comes last and never changes a result (spec kernel.md §4 step 10). */
  #tell(
    request: CallRequest,
    { answer, trace, startedAt }: { readonly answer: CallAnswer; readonly trace: Trace; readonly startedAt: number },
  ): void {
    const { telemetry, clock } = this.#parts
    const { tool, begun, error } = trace
    const facts: CallFacts = {
      requestId: request.request.id,
      door: request.door,
      principal: request.caller.principal.id,
      success: answer.result.success,
      durationMs: Math.max(0, clock.monotonic() - startedAt),
      replayed: answer.replayed,
      ...(tool === undefined ? {} : { tool: tool.name }),
      ...(begun === undefined ? {} : { callId: begun.callId, invocationId: begun.invocationId }),
      ...(error === undefined ? {} : { errorKind: error.kind }),
      ...(error?.executionState === undefined ? {} : { executionState: error.executionState }),
    }
    try {
      telemetry.call(facts)
    } catch {
      // A log that fails has nowhere to say so; the caller's result stands.
      return
    }
  }
}

/** A call between its request and its answer. */
interface Flight {
  readonly request: CallRequest
  readonly active: ActiveCall
  /** Monotonic clock, ms. */
  readonly startedAt: number
  readonly keyName: string | undefined
  readonly stopListening: (() => void) | undefined
  readonly promise: Promise<CallAnswer>
  readonly resolve: (answer: CallAnswer) => void
  readonly reject: (error: unknown) => void
}

/** A caller can name only its own calls; keys of two principals never meet. */
function nameOf(caller: Caller, key: string): string {
  return `${caller.principal.id}\0${key}`
}

function listen(signal: AbortSignal | undefined, active: ActiveCall): (() => void) | undefined {
  if (signal === undefined) return undefined
  const onAbort = (): void => active.abort(reasonOf(signal))
  if (signal.aborted) onAbort()
  else signal.addEventListener("abort", onAbort, { once: true })
  return () => signal.removeEventListener("abort", onAbort)
}

/** A door aborts with one of the three reasons; a host program's own reason means that it cancels. */
function reasonOf({ reason }: AbortSignal) {
  return reason === "client_gone" || reason === "shutdown" ? reason : "client_cancelled"
}

function shuttingDown(): CallAnswer {
  const error = new ToolError("shutting_down", "The server is shutting down. Call again in a moment.", {
    retryAfterMs: 1000,
  })
  return {
    result: { success: false, error: errorBody(error) },
    httpStatus: httpStatusOf("shutting_down"),
    replayed: false,
  }
}
