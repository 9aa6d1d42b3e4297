import type { OpenCall } from "../../ledger/store.ts"
import type { Tx } from "../../store.ts"
import type { CallKeyRow } from "../call-keys.ts"
import type { CallId } from "../ids.ts"
import type { Begun, OpenRole } from "./begin.ts"
import type { KernelParts } from "./parts.ts"
import type { CallPlan } from "./plan.ts"

/** A key's row lives this long (spec doors.md §2.5). */
const KEY_LIFE_MS = 24 * 3_600_000
const PRUNE_ROWS = 1000

/** The row of a key that has not expired; expired ones go, so that their name is free again. */
export async function liveKeyRow(tx: Tx, hash: string, now: number): Promise<CallKeyRow | undefined> {
  const row = await tx.callKeys.byHash(hash)
  if (row === undefined || row.expiresAt > now) return row
  await tx.callKeys.prune(now, PRUNE_ROWS)
  return undefined
}

/** The business pair's id, else the recorder's. */
export function callIdOf(roles: readonly OpenRole[]): CallId | undefined {
  return (roles.find(({ role }) => role === "business") ?? roles[0])?.callId
}

/** One `open_calls` row for each recorded role, else one for the call itself (spec kernel.md §15). */
export function openRows(
  parts: KernelParts,
  plan: CallPlan,
  begun: Pick<Begun, "callId" | "invocationId" | "roles"> & { readonly at: number },
): readonly OpenCall[] {
  const common = {
    invocationId: begun.invocationId,
    tool: plan.tool.name,
    instance: parts.runtime.instance,
    startedAt: begun.at,
  }
  if (begun.roles.length === 0) return [{ ...common, callId: begun.callId }]
  return begun.roles.map(({ role, callId, sessionId, startedSeq }) => ({
    ...common,
    callId,
    role,
    sessionId,
    startedSeq,
  }))
}

/** The ids under which a call has `open_calls` rows. */
export function rowIds({ callId, roles }: Pick<Begun, "callId" | "roles">): readonly CallId[] {
  return roles.length === 0 ? [callId] : roles.map((open) => open.callId)
}

/** The `started` row of a call key; a call without end counts as running for as long as its key lives. */
export async function insertKey(
  tx: Tx,
  plan: CallPlan,
  { callId, now }: { readonly callId: CallId; readonly now: number },
): Promise<void> {
  const { key, deadline } = plan
  if (key === undefined) return
  const remaining = deadline.remaining()
  await tx.callKeys.insert({
    keyHash: key.hash,
    tool: plan.tool.name,
    inputHash: key.inputHash,
    callId,
    state: "started",
    deadlineAt: now + (Number.isFinite(remaining) ? Math.ceil(remaining) : KEY_LIFE_MS),
    createdAt: now,
    expiresAt: now + KEY_LIFE_MS,
  })
}
