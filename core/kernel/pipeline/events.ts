import type { Door, Evidence, Facts } from "../../ledger/events.ts"
import type { DraftEvent } from "../../ledger/ledger.ts"
import type { Expectation } from "../../validation/expectation.ts"
import type { AnyToolDefinition } from "../definition.ts"
import type { ToolError } from "../error.ts"
import type { CallId, InvocationId } from "../ids.ts"
import type { PermissionDecision } from "../permission.ts"
import type { ParsedOutput } from "./output.ts"
import type { ParsedInput } from "./parse-call.ts"
import type { Role } from "./roles.ts"

/** How a handler ended. */
export type Outcome = { readonly output: ParsedOutput } | { readonly error: ToolError }

/** What both events of a pair say about the call (spec sessions.md §5.2). */
export interface CallIdentity {
  readonly callId: CallId
  readonly invocationId: InvocationId
  readonly role: Role
  readonly definition: Pick<AnyToolDefinition, "name" | "effect" | "activity">
  readonly project: string | undefined
  readonly door: Door
  readonly at: number
}

/** The members that a finished event adds, the same in both roles. */
export interface FinishFacts {
  readonly status: "succeeded" | "failed"
  readonly error?: { readonly kind: string; readonly recovery: string; readonly execution_state?: string }
  readonly evidence?: Evidence
  readonly exit?: { readonly exit_code: number | null; readonly signal?: string }
  readonly jobId?: string
  readonly changedPaths: readonly string[]
  readonly observedPaths: readonly string[]
  readonly expectation?: Expectation
  readonly facts: Facts
}

function callFields({ callId, invocationId, role, definition, project, door, at }: CallIdentity) {
  return {
    at,
    door,
    call_id: callId,
    invocation_id: invocationId,
    role,
    tool_name: definition.name,
    ...(project === undefined ? {} : { project }),
    effect: definition.effect,
    activity: definition.activity,
  }
}

/** `tool_call_started` of one role. */
export function startedEvent(identity: CallIdentity, facts: Facts): DraftEvent {
  return { kind: "tool_call_started", ...callFields(identity), facts }
}

/** `tool_call_finished` of one role. */
export function finishedEvent(
  identity: CallIdentity,
  finish: FinishFacts,
  more: {
    readonly startedSeq: number
    readonly durationMs: number
    readonly decision?: PermissionDecision | undefined
    readonly recovered?: true
  },
): DraftEvent {
  const { error, evidence, exit, jobId, changedPaths, observedPaths, expectation } = finish
  return {
    kind: "tool_call_finished",
    ...callFields(identity),
    started_seq: more.startedSeq,
    duration_ms: more.durationMs,
    status: finish.status,
    ...(error === undefined ? {} : { error: { ...error } }),
    ...(evidence === undefined || Object.keys(evidence).length === 0 ? {} : { evidence }),
    ...exit,
    ...(jobId === undefined ? {} : { job_id: jobId }),
    changed_paths: [...changedPaths],
    changed_total: changedPaths.length,
    observed_paths: [...observedPaths],
    observed_total: observedPaths.length,
    ...(expectation === undefined ? {} : { expectation }),
    ...(more.decision === undefined ? {} : { permission: { ...more.decision } }),
    facts: finish.facts,
    ...(more.recovered === undefined ? {} : { recovered: more.recovered }),
  }
}

/** The bounded projection of how a call ended, as its definition's `record` names it; deny by default (spec kernel.md §1). */
export function finishFacts(definition: AnyToolDefinition, input: ParsedInput, outcome: Outcome): FinishFacts {
  const { record } = definition
  const evidence = record.evidence?.(outcome)
  const expectation = record.expectation?.(input, outcome)
  const judged = expectation === undefined ? {} : { expectation }
  if ("error" in outcome) {
    const { output } = outcome.error
    return {
      ...failedFacts(outcome.error),
      ...judged,
      facts: record.error?.(outcome.error) ?? {},
      ...(evidence === undefined ? {} : { evidence }),
      ...(output === undefined ? {} : executionOf(definition, { ...output })),
    }
  }
  const { output } = outcome
  return {
    status: "succeeded",
    ...judged,
    ...(evidence === undefined ? {} : { evidence }),
    ...executionOf(definition, output),
    changedPaths: record.changedPaths?.(output) ?? [],
    observedPaths: record.observedPaths?.(input, output) ?? [],
    facts: record.output?.(output) ?? {},
  }
}

/** The Job and the exit that an output names, also one that stands beside an error (spec exec-and-jobs.md §11). */
function executionOf(
  { record }: AnyToolDefinition,
  output: Record<string, unknown>,
): Pick<FinishFacts, "exit" | "jobId"> {
  const exit = record.exit?.(output)
  const jobId = record.jobId?.(output)
  return { ...(exit === undefined ? {} : { exit }), ...(jobId === undefined ? {} : { jobId }) }
}

/** A failure as events keep it: kind, recovery and how far it got, no prose. */
export function failedFacts({ kind, recovery, executionState }: ToolError): FinishFacts {
  return {
    status: "failed",
    error: { kind, recovery, ...(executionState === undefined ? {} : { execution_state: executionState }) },
    changedPaths: [],
    observedPaths: [],
    facts: {},
  }
}
