import type { CallPorts } from "../call.ts"
import { atHandlerStart } from "../deadline.ts"
import type { CallRequest } from "../kernel.ts"
import { Rest } from "../rest.ts"
import type { ToolResult } from "../result.ts"
import type { ActiveCall } from "./active-call.ts"
import { CallHandle } from "./call-handle.ts"
import type { Outcome } from "./events.ts"
import { asToolError, deadlineExceeded } from "./failure.ts"
import { type Finished, finishCall, type OpenedCall, sealed } from "./finish.ts"
import { withSchemaHash } from "./invalid-arguments.ts"
import { parseOutput } from "./output.ts"
import type { KernelParts } from "./parts.ts"
import type { CallPlan } from "./plan.ts"
import { buildResult } from "./reply.ts"
import { withSidecars } from "./sidecars.ts"
import { outlasts } from "./time-limit.ts"

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
  if (!(await passesDeadline(handling, running))) {
    return attach(handling, handle, await settle(handling, handle, await running))
  }
  const outcome = { error: deadlineExceeded(definition.effect) }
  if (definition.effect === "observe") {
    // Nobody waits for it any more, which is what a handler knows as its caller being gone.
    active.abort("client_gone")
    return attach(handling, handle, await finishCall(parts, handle.opened, outcome))
  }
  const late = running.then((end) => settle(handling, handle, end))
  return { outcome, result: buildResult(parts, { plan: opened.plan, outcome, record: undefined }), late }
}

/** The reply with the sidecars that come after the end of a call; they never change what it says (spec kernel.md §4). */
async function attach({ parts }: Handling, { opened }: CallHandle, finished: Finished): Promise<Handled> {
  return { outcome: finished.outcome, result: await withSidecars(parts, opened, finished) }
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
    if (error instanceof Rest) throw error
    const thrown = { effect: definition.effect, entered: true, reason: active.reason }
    const onFault = (fault: unknown): void => parts.telemetry.fault(fault, { requestId, tool: tool.name })
    return { error: withSchemaHash(asToolError(error, thrown, onFault), parts.catalogue.schemaHash) }
  }
}

/** Turns of the microtask queue after which a handler without real input has long ended. */
const QUICK_TURNS = 12

/** Whether the deadline comes before the handler's end. */
function passesDeadline({ parts, active }: Handling, running: Promise<Outcome>): Promise<boolean> {
  const remainingMs = (): number => active.deadline.remaining()
  return outlasts(running, { clock: parts.clock, remainingMs, quickTurns: QUICK_TURNS })
}

/** Records an end, or takes over the one that the handler committed. */
async function settle({ parts }: Handling, handle: CallHandle, outcome: Outcome): Promise<Finished> {
  const { committed, opened } = handle
  if (committed === undefined) return finishCall(parts, opened, outcome)
  if (committed.outcome === outcome) return committed
  const isFault = "error" in outcome && outcome.error.kind === "internal_error"
  // The effect is done and recorded: a fault after it must not say otherwise.
  if (isFault) return committed
  const { record } = committed
  const result = buildResult(parts, { plan: opened.plan, outcome, record })
  await keepAnswer(parts, opened.plan, result)
  return { outcome, result, record }
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
