import type { CallPorts } from "../call.ts"
import { atHandlerStart } from "../deadline.ts"
import type { CallRequest } from "../kernel.ts"
import type { ToolResult } from "../result.ts"
import type { ActiveCall } from "./active-call.ts"
import { CallHandle } from "./call-handle.ts"
import type { Outcome } from "./events.ts"
import { asToolError, deadlineExceeded } from "./failure.ts"
import { finishCall, type OpenedCall, sealed } from "./finish.ts"
import { withSchemaHash } from "./invalid-arguments.ts"
import { parseOutput } from "./output.ts"
import type { KernelParts } from "./parts.ts"
import type { CallPlan } from "./plan.ts"
import { buildResult } from "./reply.ts"

/** What running a handler takes. */
export interface Handling {
  readonly parts: KernelParts
  readonly ports: CallPorts
  readonly opened: OpenedCall
  readonly active: ActiveCall
  readonly onProgress: CallRequest["onProgress"]
}

/** The end of a call: what is answered, and, when the answer came first, the end that is still to come. */
export interface Handled {
  readonly outcome: Outcome
  readonly result: ToolResult
  readonly late?: Promise<unknown>
}

/**
 * Steps 8 and 9: runs the handler with its ports, deadline and signal, and records its end. At the deadline an observing
 * call is aborted and ends; any other is answered `deadline_exceeded`, goes on and records its true end.
 */
export async function handleCall(handling: Handling): Promise<Handled> {
  const { parts, opened, active } = handling
  const { definition } = opened.plan.tool
  active.enter(definition)
  const handle = new CallHandle({ ...handling, deadline: deadlineFor(handling) })
  const running = runHandler(handling, handle)
  if (!(await passesDeadline(handling, running))) return settle(handling, handle, await running)
  const outcome = { error: deadlineExceeded(definition.effect) }
  if (definition.effect === "observe") {
    // Nobody waits for it any more, which is what a handler knows as its caller being gone.
    active.abort("client_gone")
    return finishCall(parts, handle.opened, outcome)
  }
  const late = running.then((end) => settle(handling, handle, end))
  return { outcome, result: buildResult(parts, { plan: opened.plan, outcome, record: undefined }), late }
}

function deadlineFor({ parts, opened, active }: Handling) {
  return opened.plan.tool.definition.deadline === "handover"
    ? atHandlerStart(active.deadline, parts.clock)
    : active.deadline
}

async function runHandler({ parts, opened, active }: Handling, handle: CallHandle): Promise<Outcome> {
  const { tool, input, requestId } = opened.plan
  const { definition } = tool
  try {
    const value = await definition.handler(input, handle)
    const { committed } = handle
    if (committed !== undefined && "output" in committed.outcome && committed.outcome.output === value)
      return committed.outcome
    return { output: parseOutput(definition, value) }
  } catch (error) {
    const thrown = { effect: definition.effect, entered: true, reason: active.reason }
    const onFault = (fault: unknown): void => parts.telemetry.fault(fault, { requestId, tool: tool.name })
    return { error: withSchemaHash(asToolError(error, thrown, onFault), parts.catalogue.schemaHash) }
  }
}

/** Turns of the microtask queue after which a handler without real input has long ended. */
const QUICK_TURNS = 12

/** Whether the deadline comes before the handler's end; a handler that ends at once never costs a timer. */
async function passesDeadline({ parts, active }: Handling, running: Promise<Outcome>): Promise<boolean> {
  let hasEnded = false
  const ended = running.then(() => {
    hasEnded = true
    return false
  })
  for (let turn = 0; turn < QUICK_TURNS && !hasEnded; turn++) await undefined
  if (hasEnded || !Number.isFinite(active.deadline.at)) return ended
  const timer = new AbortController()
  const passed = parts.clock.sleep(active.deadline.remaining(), timer.signal).then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([ended, passed])
  } finally {
    // A reason of its own: the default one costs a stack trace in every call.
    timer.abort("ended")
  }
}

/** Records an end, or takes over the one that the handler committed. */
async function settle({ parts }: Handling, handle: CallHandle, outcome: Outcome): Promise<Handled> {
  const { committed, opened } = handle
  if (committed === undefined) return finishCall(parts, opened, outcome)
  if (committed.outcome === outcome) return committed
  const isFault = "error" in outcome && outcome.error.kind === "internal_error"
  // The effect is done and recorded: a fault after it must not say otherwise.
  if (isFault) return committed
  const record = committed.result.attached?.session_record
  const result = buildResult(parts, { plan: opened.plan, outcome, record })
  await keepAnswer(parts, opened.plan, result)
  return { outcome, result }
}

/** Replaces the result that the commit kept under the call's key by the one that is answered. */
async function keepAnswer(parts: KernelParts, { key, requestId, tool }: CallPlan, result: ToolResult): Promise<void> {
  if (key === undefined) return
  try {
    await parts.store.write((tx) => tx.callKeys.finish(key.hash, sealed(key, result)))
  } catch (error) {
    // The effect is committed with its own result: a replay tells that one, the caller this one.
    parts.telemetry.fault(error, { requestId, tool: tool.name })
  }
}
