import type { Ledger } from "../ledger/ledger.ts"
import type { OpenCall } from "../ledger/store.ts"
import type { RunnerDirectory } from "../runners/runner.ts"
import type { Store, Tx } from "../store.ts"
import type { Clock } from "./clock.ts"
import type { AnyToolDefinition, Recovered } from "./definition.ts"
import { recoveryOf } from "./error-kinds.ts"
import type { InstanceId } from "./ids.ts"
import { noteOf } from "./keys/recovered.ts"
import { type FinishFacts, finishedEvent } from "./pipeline/events.ts"
import type { Registry } from "./registry.ts"
import type { Telemetry } from "./telemetry.ts"

/** What recovery needs. */
export interface RecoveryParts {
  readonly registry: Registry
  readonly store: Store
  readonly ledger: Ledger
  readonly runners: RunnerDirectory
  readonly clock: Clock
  readonly telemetry: Telemetry
}

/**
 * Tells the end of every open call of dead instances, one transaction each (spec kernel.md §15). Whoever deletes the row
 * tells it, so it happens once; nothing is ever run again. Answers how many ends it told.
 */
export async function recoverCalls(parts: RecoveryParts, dead: readonly InstanceId[]): Promise<number> {
  if (dead.length === 0) return 0
  const open = await parts.store.read((tx) => tx.openCalls.ofInstances(dead))
  let told = 0
  for (const call of open) {
    try {
      if (await recoverCall(parts, call)) told += 1
    } catch (error) {
      // Its row stays, so the next round tries again; the other calls must not wait for it.
      parts.telemetry.fault(error, { requestId: "recovery", tool: call.tool })
    }
  }
  return told
}

async function recoverCall(parts: RecoveryParts, call: OpenCall): Promise<boolean> {
  const definition = parts.registry.find(call.tool, undefined)?.tool.definition
  const recovered = await findOutcome(parts, definition, call)
  return parts.store.write(async (tx) => {
    const taken = await tx.openCalls.take([call.callId])
    if (taken.length === 0) return false
    await appendEnd(tx, parts, { call, definition, recovered })
    await tx.callKeys.recover(call.callId, noteOf(recovered))
    return true
  })
}

/** What is known about a call whose process died: an observing or store-only call changed nothing unless it had ended. */
async function findOutcome(
  parts: RecoveryParts,
  definition: AnyToolDefinition | undefined,
  call: OpenCall,
): Promise<Recovered> {
  if (definition === undefined) return UNKNOWN
  if (definition.effect === "observe") return INTERRUPTED
  const found = await definition.recover?.(call, { store: parts.store, runners: parts.runners })
  if (found !== undefined) return found
  const isStoreOnly =
    definition.recover === undefined && definition.effect === "mutate" && definition.mutates !== "workspace"
  return isStoreOnly ? INTERRUPTED : UNKNOWN
}

const INTERRUPTED: Recovered = {
  status: "failed",
  errorKind: "interrupted",
  evidence: { state_changed: false },
}

const UNKNOWN: Recovered = {
  status: "failed",
  errorKind: "outcome_unknown",
  executionState: "outcome_unknown",
}

async function appendEnd(
  tx: Tx,
  parts: RecoveryParts,
  {
    call,
    definition,
    recovered,
  }: {
    readonly call: OpenCall
    readonly definition: AnyToolDefinition | undefined
    readonly recovered: Recovered
  },
): Promise<void> {
  const { callId, invocationId, role, sessionId, tool, startedAt, startedSeq = 0 } = call
  if (sessionId === undefined || role === undefined) return
  const at = parts.clock.now()
  const facts = definition ?? { name: tool, effect: "execute", activity: "other" }
  const event = finishedEvent(
    { callId, invocationId, role, definition: facts, project: undefined, door: "system", at },
    finishOf(recovered),
    { startedSeq, durationMs: Math.max(0, at - startedAt), recovered: true },
  )
  await parts.ledger.append(tx, sessionId, [event])
}

function finishOf({ status, errorKind, executionState, evidence, jobId, expectation }: Recovered): FinishFacts {
  const state = executionState === undefined ? {} : { execution_state: executionState }
  return {
    status,
    ...(errorKind === undefined ? {} : { error: { kind: errorKind, recovery: recoveryOf(errorKind), ...state } }),
    evidence: { ...evidence, ...state },
    ...(jobId === undefined ? {} : { jobId }),
    ...(expectation === undefined ? {} : { expectation }),
    changedPaths: [],
    observedPaths: [],
    facts: {},
  }
}
