import type { DraftEvent } from "../../ledger/ledger.ts"
import type { Tx } from "../../store.ts"
import { restate, type ToolError } from "../error.ts"
import type { InvocationId } from "../ids.ts"
import type { CallRequest } from "../kernel.ts"
import { keyHash } from "../keys/hashes.ts"
import type { PermissionDecision } from "../permission.ts"
import type { ProjectedTool } from "../projection.ts"
import { appendEntries } from "./append.ts"
import { identityOf, recorderFirst, recordingRoles } from "./begin.ts"
import { failedFacts, finishedEvent, startedEvent } from "./events.ts"
import type { ParsedInput } from "./parse-call.ts"
import type { KernelParts } from "./parts.ts"
import type { RoleSession } from "./roles.ts"
import type { Targets } from "./targets.ts"

/** A call refused after step 3: its Sessions are authorised, so they learn of the refusal. */
export interface Refusal {
  readonly tool: ProjectedTool
  readonly targets: Targets
  readonly door: CallRequest["door"]
  readonly input: ParsedInput
  readonly decision: PermissionDecision | undefined
  readonly error: ToolError
}

/**
 * What a refusal in steps 4–6 records (spec kernel.md §4): in each authorised, active Session one start and finish pair,
 * `failed`, `not_started`, facts of the input only; all in one transaction.
 */
export async function recordRefusal(parts: KernelParts, refusal: Refusal): Promise<void> {
  const roles = recordingRoles(refusal)
  if (roles.length === 0) return
  await parts.store.write(async (tx) => {
    const active = await stillActive(tx, roles)
    const invocationId = parts.ids.invocation()
    const drafts = active.map((role) => pairOf(parts, refusal, { role, invocationId }))
    const starts = drafts.map(({ sessionId, start }) => ({ sessionId, event: start }))
    const placed = await appendEntries(tx, parts.ledger, starts)
    const ends = drafts.map(({ sessionId, finish }, index) => ({ sessionId, event: finish(placed[index]?.seq ?? 0) }))
    await appendEntries(tx, parts.ledger, ends)
  })
}

async function stillActive(tx: Tx, roles: readonly RoleSession[]): Promise<readonly RoleSession[]> {
  const active: RoleSession[] = []
  for (const role of [...roles].sort(recorderFirst)) {
    const row = await tx.sessions.byId(role.session.sessionId)
    if (row?.readable === true && row.session.lifecycle === "active") active.push(role)
  }
  return active
}

interface DraftPair {
  readonly sessionId: RoleSession["session"]["sessionId"]
  readonly start: DraftEvent
  readonly finish: (startedSeq: number) => DraftEvent
}

function pairOf(
  parts: KernelParts,
  refusal: Refusal,
  { role, invocationId }: { readonly role: RoleSession; readonly invocationId: InvocationId },
): DraftPair {
  const { tool, input, decision, error } = refusal
  const at = parts.clock.now()
  const identity = identityOf(refusal, { callId: parts.ids.call(), invocationId, role: role.role, at })
  const facts = tool.definition.record.input?.(input) ?? {}
  const expectation = tool.definition.record.expectation?.(input, { error })
  const judged = expectation === undefined ? {} : { expectation }
  const end = {
    ...failedFacts(error),
    ...judged,
    error: { kind: error.kind, recovery: error.recovery, execution_state: "not_started" },
  }
  return {
    sessionId: role.session.sessionId,
    start: startedEvent(identity, facts),
    finish: (startedSeq) => finishedEvent(identity, end, { startedSeq, durationMs: 0, decision }),
  }
}

/**
 * A refusal of a call whose key's row exists says that row's state, never `not_started` (spec kernel.md §11): the caller
 * must not conclude that an earlier call with this key did nothing.
 */
export async function withKeyState(parts: KernelParts, request: CallRequest, error: ToolError): Promise<ToolError> {
  const { key } = request.request
  if (key === undefined) return error
  const hash = keyHash(request.caller.principal.id, key)
  const row = await parts.store.read((tx) => tx.callKeys.byHash(hash))
  if (row === undefined || row.expiresAt <= parts.clock.now()) return error
  return restate(error, {
    details: { ...error.details, call_id: row.callId },
    executionState: row.state === "finished" ? "completed" : "outcome_unknown",
    cause: error,
  })
}
