import type { Facts } from "../../ledger/events.ts"
import type { WorkflowSession } from "../../sessions/record.ts"
import type { Tx } from "../../store.ts"
import type { CallKeyRow } from "../call-keys.ts"
import type { CallId, InvocationId, SessionId } from "../ids.ts"
import { appendEntries } from "./append.ts"
import { type CallIdentity, startedEvent } from "./events.ts"
import { callIdOf, insertKey, liveKeyRow, openRows, rowIds } from "./open-rows.ts"
import type { KernelParts } from "./parts.ts"
import type { CallPlan } from "./plan.ts"
import type { Role, RoleSession } from "./roles.ts"
import { rolesOf } from "./roles.ts"
import { checkSessions } from "./session-checks.ts"

/** One role of a call whose start is in its Session's ledger. */
export interface OpenRole {
  readonly role: Role
  readonly callId: CallId
  readonly sessionId: SessionId
  readonly startedSeq: number
}

/** A call that has begun: its ids, its recorded roles, its `open_calls` rows. */
export interface Begun {
  readonly callId: CallId
  readonly invocationId: InvocationId
  /** In event order: recorder, then business. */
  readonly roles: readonly OpenRole[]
  readonly rows: readonly CallId[]
  /** Monotonic clock, ms. */
  readonly startedAt: number
}

/** How step 7 ended: the handler may run, or an earlier call with the same key answers. */
export type Beginning = { readonly begun: Begun } | { readonly earlier: CallKeyRow }

/**
 * Step 7, one transaction: the call key, lifecycle and guards once more, `started` events and `open_calls` rows. Nothing is
 * written of a call that neither a Session nor a key knows and that changes nothing by itself: an observing one never has a
 * row, an executing one with what it starts (`Call.hint`), before which there is nothing to find. @throws `session_closed`, `session_guard_denied`,
 * `storage_unavailable`.
 */
export async function beginCall(parts: KernelParts, plan: CallPlan): Promise<Beginning> {
  const { definition } = plan.tool
  const isRecorded = recordingRoles(plan).length > 0
  if (!isRecorded && plan.key === undefined && definition.effect !== "mutate") return { begun: unrecorded(parts) }
  const facts = isRecorded ? (definition.record.input?.(plan.input) ?? {}) : {}
  return parts.store.write((tx) => begin(tx, parts, { plan, facts }))
}

function unrecorded(parts: KernelParts): Begun {
  const { ids, clock } = parts
  return { callId: ids.call(), invocationId: ids.invocation(), roles: [], rows: [], startedAt: clock.monotonic() }
}

/** The Sessions whose ledger takes this call, if they are active: subject tools leave the business one out. */
export function recordingRoles({ tool, targets }: Pick<CallPlan, "tool" | "targets">): readonly RoleSession[] {
  const recordsBusiness = tool.definition.recordsBusiness !== false
  return rolesOf(targets).filter(({ role }) => role === "recorder" || recordsBusiness)
}

async function begin(
  tx: Tx,
  parts: KernelParts,
  { plan, facts }: { readonly plan: CallPlan; readonly facts: Facts },
): Promise<Beginning> {
  const now = parts.clock.now()
  if (plan.key !== undefined) {
    const earlier = await liveKeyRow(tx, plan.key.hash, now)
    if (earlier !== undefined) return { earlier }
  }
  const fresh = await readAgain(tx, recordingRoles(plan))
  checkSessions(fresh, plan.demand)
  const active = fresh.filter(({ session }) => session.lifecycle === "active")
  const ids = { invocationId: parts.ids.invocation(), at: now }
  const roles = await appendStarts(tx, parts, { plan, facts, active, ...ids })
  const begun = { ...ids, callId: callIdOf(roles) ?? parts.ids.call(), roles, startedAt: parts.clock.monotonic() }
  await tx.openCalls.insert(openRows(parts, plan, begun))
  if (plan.key !== undefined) await insertKey(tx, plan, { callId: begun.callId, now })
  const { callId, invocationId, startedAt } = begun
  return { begun: { callId, invocationId, roles, startedAt, rows: rowIds(begun) } }
}

/** Rows of the same Sessions as they are inside this transaction; one that is gone or unreadable by now is left out. */
async function readAgain(tx: Tx, roles: readonly RoleSession[]): Promise<readonly RoleSession[]> {
  const fresh: RoleSession[] = []
  const seen = new Map<SessionId, WorkflowSession | undefined>()
  for (const { role, session } of roles) {
    const id = session.sessionId
    if (!seen.has(id)) {
      const row = await tx.sessions.byId(id)
      seen.set(id, row?.readable === true ? row.session : undefined)
    }
    const again = seen.get(id)
    if (again !== undefined) fresh.push({ role, session: again })
  }
  return fresh
}

interface Starting {
  readonly plan: CallPlan
  readonly facts: Facts
  readonly active: readonly RoleSession[]
  readonly invocationId: InvocationId
  readonly at: number
}

async function appendStarts(tx: Tx, parts: KernelParts, starting: Starting): Promise<readonly OpenRole[]> {
  const { plan, facts, active, invocationId, at } = starting
  const inOrder = [...active].sort(recorderFirst)
  const opening = inOrder.map(({ role, session }) => ({ role, sessionId: session.sessionId, callId: parts.ids.call() }))
  const placed = await appendEntries(
    tx,
    parts.ledger,
    opening.map(({ role, sessionId, callId }) => ({
      sessionId,
      event: startedEvent(identityOf(plan, { callId, invocationId, role, at }), facts),
    })),
  )
  return opening.map((open, index) => ({ ...open, startedSeq: placed[index]?.seq ?? 0 }))
}

/** Events of one call stand in the order recorder, business (spec sessions.md §5.3). */
export function recorderFirst(one: { readonly role: Role }, other: { readonly role: Role }): number {
  if (one.role === other.role) return 0
  return one.role === "recorder" ? -1 : 1
}

/** What both events of a role say about the call. */
export function identityOf(
  plan: Pick<CallPlan, "tool" | "targets" | "door">,
  event: Pick<CallIdentity, "callId" | "invocationId" | "role" | "at">,
): CallIdentity {
  return { ...event, definition: plan.tool.definition, project: plan.targets.project?.slug, door: plan.door }
}
