import type { CallPorts } from "../call.ts"
import type { ToolError } from "../error.ts"
import { httpStatusOf } from "../error-kinds.ts"
import type { CallAnswer, CallRequest } from "../kernel.ts"
import { inputHash, keyHash } from "../keys/hashes.ts"
import type { PermissionDecision } from "../permission.ts"
import type { ProjectedTool } from "../projection.ts"
import { Rest } from "../rest.ts"
import type { ActiveCall } from "./active-call.ts"
import { type Begun, beginCall } from "./begin.ts"
import { bindChatSession } from "./chat-guard.ts"
import { applyDefaults } from "./defaults.ts"
import { errorBody } from "./error-body.ts"
import { asToolError } from "./failure.ts"
import { handleCall } from "./handle.ts"
import { answerByKey, keyTopic } from "./key-answer.ts"
import { type ParsedCall, type ParsedInput, parseCall } from "./parse-call.ts"
import type { KernelParts } from "./parts.ts"
import { decide, requirePermission } from "./permit.ts"
import type { CallPlan, PlannedKey } from "./plan.ts"
import { requireRawShell } from "./raw-shell.ts"
import { recordRefusal, withKeyState } from "./refuse.ts"
import { buildRefusal } from "./reply.ts"
import { requireScopes, resolveTool } from "./resolve-tool.ts"
import { rolesOf } from "./roles.ts"
import { checkSessions, demandOf } from "./session-checks.ts"
import { resolveTargets, type Targets } from "./targets.ts"

/** A call on its way: what is known so far, for a refusal and for telemetry. */
export interface Trace {
  tool?: ProjectedTool
  /** Set once step 3 has authorised the targets: from here on a refusal is recorded. */
  authorised?: { readonly targets: Targets; readonly input: ParsedInput }
  decision?: PermissionDecision | undefined
  /** An earlier call with the same key answers; what it says is neither recorded nor stated once more. */
  hasEarlier?: true
  begun?: Begun
  error?: ToolError
}

/** What runs a call. */
export interface Running {
  readonly parts: KernelParts
  readonly ports: CallPorts
  readonly active: ActiveCall
  readonly trace: Trace
  /** Told of a call that was answered and still goes on. */
  onLate(end: Promise<unknown>): void
}

/** The pipeline of one call, steps 1–10 in order (spec kernel.md §4). @throws Rest and nothing else */
export async function runCall(running: Running, request: CallRequest): Promise<CallAnswer> {
  try {
    const plan = await planCall(running, request)
    return await performCall(running, request, plan)
  } catch (error) {
    if (error instanceof Rest) throw error
    return refuse(running, request, error)
  }
}

/** Steps 1–6: a call that may begin. */
async function planCall({ parts, active, trace }: Running, request: CallRequest): Promise<CallPlan> {
  const { caller, door } = request
  const { tool, args } = resolveTool(parts, request)
  trace.tool = tool
  const { definition } = tool
  requireScopes(caller, definition.scopes, tool.name)
  const { schemaHash } = parts.catalogue
  const acknowledges = request.acknowledges === true
  const call = parseCall(tool, args, { wrapper: request.wrapper, acknowledges, schemaHash })
  const elevation = definition.elevate?.(call.input)
  if (elevation?.scopes !== undefined) requireScopes(caller, elevation.scopes, tool.name)
  const targets = await resolveTargets(parts, { definition, caller, call })
  trace.authorised = { targets, input: call.input }
  const demand = demandOf(definition, tool.guard, elevation)
  checkSessions(rolesOf(targets), demand)
  const chat = await bindChatSession(parts, { definition, caller, call })
  const input = applyDefaults(parts.shells.settings, definition, { input: call.input, business: targets.business })
  requireRawShell(parts.runtime, definition, targets.project)
  const decision = decide(parts, caller, { definition, elevation })
  trace.decision = decision
  requirePermission(decision)
  return {
    requestId: request.request.id,
    door,
    caller,
    tool,
    input,
    targets,
    demand,
    chat,
    decision,
    deadline: active.deadline,
    key: definition.effect === "observe" ? undefined : plannedKey(request, call),
    replyLimit: replyLimitOf(parts, request),
    acks: call.wrapper.acks ?? [],
    acknowledges,
  }
}

/** Observing calls need no key: repeating them is safe (spec doors.md §2.5). */
function plannedKey(request: CallRequest, { input, wrapper }: ParsedCall): PlannedKey | undefined {
  const secret = request.request.key
  if (secret === undefined) return undefined
  return { secret, hash: keyHash(request.caller.principal.id, secret), inputHash: inputHash({ input, wrapper }) }
}

function replyLimitOf(parts: KernelParts, request: CallRequest): number {
  return request.request.replyLimit ?? parts.runtime.limits.reply_limit_chars
}

/** Steps 7–10. */
async function performCall(running: Running, request: CallRequest, plan: CallPlan): Promise<CallAnswer> {
  const { parts, ports, active, trace } = running
  const { key } = plan
  const beginning = await beginCall(parts, plan)
  if ("earlier" in beginning) {
    if (key === undefined) throw new Error("only a keyed call has an earlier one")
    trace.hasEarlier = true
    return await answerByKey(parts, { plan, key, row: beginning.earlier, active })
  }
  trace.begun = beginning.begun
  const opened = { plan, begun: beginning.begun }
  const handled = await handleCall({ parts, ports, opened, active, onProgress: request.onProgress })
  if ("error" in handled.outcome) trace.error = handled.outcome.error
  if (handled.late !== undefined) running.onLate(handled.late)
  if (key !== undefined) notifyEnd(parts, key, handled.late)
  return { result: handled.result, httpStatus: 200, replayed: false }
}

/** Wakes calls of this process that wait for the same key. */
function notifyEnd({ signals, telemetry }: KernelParts, key: PlannedKey, late: Promise<unknown> | undefined): void {
  const notify = (): void => signals.notify(keyTopic(key.hash))
  if (late === undefined) notify()
  else late.then(notify, (error: unknown) => telemetry.fault(error, { requestId: "late" }))
}

async function refuse(running: Running, request: CallRequest, thrown: unknown): Promise<CallAnswer> {
  const { parts, active, trace } = running
  const requestId = request.request.id
  const effect = trace.tool?.definition.effect
  const fault = (error: unknown): void =>
    parts.telemetry.fault(error, { requestId, ...(trace.tool === undefined ? {} : { tool: trace.tool.name }) })
  const entered = trace.begun !== undefined
  const error = asToolError(thrown, { effect, entered, reason: active.reason }, fault)
  const stated = await afterRefusal(running, request, error).catch((failure: unknown) => {
    // The refusal stands whether or not it could be recorded.
    fault(failure)
    return error
  })
  trace.error = stated
  const decision = trace.decision
  const result = buildRefusal(parts, errorBody(stated), { decision, replyLimit: replyLimitOf(parts, request) })
  return { result, httpStatus: entered ? 200 : httpStatusOf(stated.kind), replayed: false }
}

async function afterRefusal({ parts, trace }: Running, request: CallRequest, error: ToolError): Promise<ToolError> {
  const { tool, authorised, decision, begun, hasEarlier } = trace
  if (tool === undefined || begun !== undefined || hasEarlier === true) return error
  if (authorised !== undefined && error.kind !== "storage_unavailable")
    await recordRefusal(parts, { tool, ...authorised, decision, door: request.door, error })
  return tool.definition.effect === "observe" ? error : await withKeyState(parts, request, error)
}
