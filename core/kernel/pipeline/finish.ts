import { type BoardGlance, glanceAt } from "../../messages/glance.ts"
import type { WorkflowSession } from "../../sessions/record.ts"
import type { Tx } from "../../store.ts"
import type { CallId } from "../ids.ts"
import { sealResult } from "../keys/seal.ts"
import type { SessionRecord, ToolResult } from "../result.ts"
import { appendEntries } from "./append.ts"
import { type Begun, identityOf } from "./begin.ts"
import { type FinishFacts, finishedEvent, finishFacts, type Outcome } from "./events.ts"
import type { KernelParts } from "./parts.ts"
import type { CallPlan } from "./plan.ts"
import { buildResult } from "./reply.ts"

/** A call whose end is told: what its Session says, and the reply without the sidecars that come after. */
export interface Finished {
  readonly outcome: Outcome
  readonly result: ToolResult
  readonly record: SessionRecord | undefined
  /** The board of the Session that the record names, where the end was told in a transaction. */
  readonly glance?: BoardGlance | undefined
}

/** A call between its begin and its end. */
export interface OpenedCall {
  readonly plan: CallPlan
  readonly begun: Begun
}

/**
 * The end of a call inside a transaction: deletes its `open_calls` rows and appends `finished` events for those that still
 * existed (no row, no append: recovery told another end), and keeps the result under the call's key.
 */
export async function finishInTx(
  tx: Tx,
  parts: KernelParts,
  {
    call,
    outcome,
    taken,
  }: {
    readonly call: OpenedCall
    readonly outcome: Outcome
    /** Which rows existed, when the caller took them already. */
    readonly taken?: readonly CallId[]
  },
): Promise<Finished> {
  const { plan, begun } = call
  const existed = taken ?? (await tx.openCalls.take(begun.rows))
  const roles = begun.roles.filter((open) => existed.includes(open.callId))
  const finish = factsOf(parts, plan, outcome)
  const at = parts.clock.now()
  const durationMs = Math.max(0, Math.round(parts.clock.monotonic() - begun.startedAt))
  const placed = await appendEntries(
    tx,
    parts.ledger,
    roles.map(({ role, callId, sessionId, startedSeq }) => ({
      sessionId,
      event: finishedEvent(identityOf(plan, { callId, invocationId: begun.invocationId, role, at }), finish, {
        startedSeq,
        durationMs,
        decision: plan.decision,
      }),
    })),
  )
  const events = new Map(roles.map(({ callId }, index) => [callId, placed[index]?.eventId]))
  const seen = await glance(tx, parts, call)
  const record = withOpenCounts(
    sessionRecord(call, (callId) => events.get(callId)),
    seen,
  )
  const result = buildResult(parts, { plan, outcome, record })
  if (plan.key !== undefined) await tx.callKeys.finish(plan.key.hash, sealed(plan.key, result))
  return { outcome, result, record, glance: seen }
}

/** A look at the board costs least in the transaction that is open anyway; failing, it must not undo the end. */
async function glance(tx: Tx, parts: KernelParts, { plan }: OpenedCall): Promise<BoardGlance | undefined> {
  const named = namedSession(plan)
  if (named === undefined) return undefined
  try {
    return await glanceAt(tx, named.sessionId)
  } catch (error) {
    parts.telemetry.fault(error, { requestId: plan.requestId, tool: plan.tool.name })
    return undefined
  }
}

/** What a Session's record says of its board: a hint to look, when anything is open there (spec messages.md §6). */
export function withOpenCounts(
  record: SessionRecord | undefined,
  seen: BoardGlance | undefined,
): SessionRecord | undefined {
  if (record === undefined || seen === undefined) return record
  const { counts } = seen.open
  return Object.values(counts).some((count) => count > 0) ? { ...record, open_counts: counts } : record
}

/** The Session that a call names: the recorder if there is one, else the business Session (spec messages.md §6). */
export function namedSession({ targets }: Pick<CallPlan, "targets">): WorkflowSession | undefined {
  return targets.recorder ?? targets.business
}

/** Step 9 for a call that has not committed its own end; a failing store never changes the outcome (spec kernel.md §5). */
export async function finishCall(parts: KernelParts, call: OpenedCall, outcome: Outcome): Promise<Finished> {
  const { plan, begun } = call
  if (begun.rows.length === 0 && plan.key === undefined) {
    const record = sessionRecord(call, () => undefined)
    return { outcome, result: buildResult(parts, { plan, outcome, record }), record }
  }
  try {
    return await parts.store.write((tx) => finishInTx(tx, parts, { call, outcome }))
  } catch (error) {
    parts.telemetry.fault(error, { requestId: plan.requestId, tool: plan.tool.name })
    const record = sessionRecord(call, () => undefined, "storage_unavailable")
    return { outcome, result: buildResult(parts, { plan, outcome, record }), record }
  }
}

/** The encrypted result for a key's row; absent when it is too large to keep. */
export function sealed(key: { readonly secret: string; readonly hash: string }, result: ToolResult) {
  return sealResult(JSON.stringify(result), key.secret, key.hash)
}

function factsOf(parts: KernelParts, plan: CallPlan, outcome: Outcome): FinishFacts {
  try {
    return finishFacts(plan.tool.definition, plan.input, outcome)
  } catch (error) {
    // A projection that fails on a real value must not undo an effect: the event then says less.
    parts.telemetry.fault(error, { requestId: plan.requestId, tool: plan.tool.name })
    return finishFacts({ ...plan.tool.definition, record: {} }, plan.input, outcome)
  }
}

/** `attached.session_record`: the recorder if there is one, else the business Session (spec messages.md §6). */
export function sessionRecord(
  { plan, begun }: OpenedCall,
  eventOf: (callId: CallId) => string | undefined,
  missing: "recovered" | "storage_unavailable" = "recovered",
): SessionRecord | undefined {
  const { recorder } = plan.targets
  const named = namedSession(plan)
  if (named === undefined) return undefined
  const role = recorder === undefined ? "business" : "recorder"
  const open = begun.roles.find((each) => each.role === role)
  const session_id = named.sessionId
  if (open === undefined) return { session_id, recorded: false, reason: unrecordedReason(plan) }
  const event_id = eventOf(open.callId)
  return event_id === undefined
    ? { session_id, recorded: false, reason: missing }
    : { session_id, recorded: true, event_id }
}

function unrecordedReason({ targets, tool }: CallPlan): "subject" | "session_closed" {
  const isSubject = targets.recorder === undefined && tool.definition.recordsBusiness === false
  return isSubject ? "subject" : "session_closed"
}
