import type { CallKeyRow } from "../call-keys.ts"
import { isToolError, ToolError } from "../error.ts"
import type { CallAnswer } from "../kernel.ts"
import { decideByKey } from "../keys/decide.ts"
import { kindOf, readNote } from "../keys/recovered.ts"
import { openResult } from "../keys/seal.ts"
import { isToolResult, type ToolResult } from "../result.ts"
import type { Topic } from "../signals.ts"
import type { ActiveCall } from "./active-call.ts"
import { errorBody } from "./error-body.ts"
import { filterReply } from "./filter.ts"
import type { KernelParts } from "./parts.ts"
import type { CallPlan, PlannedKey } from "./plan.ts"

/** A wait for another call's end stops this long before the own deadline. */
const REPLY_LEAD_MS = 1000
/** Another process may finish the call: its commit wakes nobody here for sure, so the row is read again. */
const POLL_MS = 500

/** Woken when a keyed call of this process ended. */
export function keyTopic(hash: string): Topic {
  return `call_key:${hash}`
}

/**
 * The answer of a call whose key an earlier one holds (spec doors.md §2.5); nothing is run again. @throws
 * `idempotency_conflict`, `result_not_retained`, `call_in_progress`.
 */
export async function answerByKey(
  parts: KernelParts,
  {
    plan,
    key,
    row,
    active,
  }: {
    readonly plan: CallPlan
    readonly key: PlannedKey
    readonly row: CallKeyRow
    readonly active: ActiveCall
  },
): Promise<CallAnswer> {
  let current = row
  for (;;) {
    const decision = decideByKey(current, { tool: plan.tool.name, inputHash: key.inputHash }, parts.clock.now())
    if (decision !== "wait") return fitted(parts, plan, await settled(parts, decision, { plan, row: current, key }))
    if (active.deadline.remaining() <= REPLY_LEAD_MS) throw inProgress(current)
    await parts.signals.wait([keyTopic(key.hash)], { timeoutMs: POLL_MS, signal: active.signal })
    current = (await parts.store.read((tx) => tx.callKeys.byHash(key.hash))) ?? current
  }
}

/** The answer within this request's own limit, which may be narrower than the first one's; what is kept stays as it is. */
function fitted(parts: KernelParts, { tool, replyLimit }: CallPlan, answer: CallAnswer): CallAnswer {
  const { reduce, verbatim } = tool.definition
  return { ...answer, result: filterReply(parts, answer.result, { limit: replyLimit, reduce, verbatim }) }
}

async function settled(
  parts: KernelParts,
  decision: Exclude<ReturnType<typeof decideByKey>, "wait">,
  { plan, row, key }: { readonly plan: CallPlan; readonly row: CallKeyRow; readonly key: PlannedKey },
): Promise<CallAnswer> {
  switch (decision) {
    case "conflict":
      throw new ToolError(
        "idempotency_conflict",
        "This call key was used for a call with other content. Use a new key for a new call.",
        { details: { call_id: row.callId } },
      )
    case "not_retained":
      throw new ToolError(
        "result_not_retained",
        "The call with this key is complete, but its result was too large to keep. Read the state again.",
        { details: { call_id: row.callId }, executionState: "completed" },
      )
    case "replay":
      return { result: stored(row, key), httpStatus: 200, replayed: true }
    case "recovered":
      return { result: (await recalled(parts, plan, row)) ?? recovered(row), httpStatus: 200, replayed: true }
    case "outcome_unknown":
      return { result: failure(unknownOutcome(undefined)), httpStatus: 200, replayed: true }
  }
}

function stored(row: CallKeyRow, key: PlannedKey): ToolResult {
  const result: unknown = JSON.parse(openResult(row.result ?? new Uint8Array(), key.secret, key.hash))
  if (!isToolResult(result)) throw new Error("a stored call result has an unknown form")
  return result
}

/** By the Job that the call had started, where it is known: recovery's note is older than that may be. */
async function recalled(
  parts: KernelParts,
  { tool, input }: CallPlan,
  row: CallKeyRow,
): Promise<ToolResult | undefined> {
  const { job_id: jobId } = readNote(row.recovered ?? "")
  if (jobId === undefined) return undefined
  try {
    const output = await tool.definition.recall?.(input, { jobId, ports: parts })
    return output === undefined ? undefined : { success: true, output }
  } catch (error) {
    if (!isToolError(error)) throw error
    return failure(error)
  }
}

function recovered(row: CallKeyRow): ToolResult {
  const note = readNote(row.recovered ?? "")
  if (note.error_kind === undefined || note.error_kind === "outcome_unknown")
    return failure(unknownOutcome(note.job_id))
  return failure(
    new ToolError(kindOf(note.error_kind), "The server stopped during this call; this is what was found afterwards.", {
      ...(note.execution_state === undefined ? {} : { executionState: note.execution_state }),
      ...(note.job_id === undefined ? {} : { output: { job_id: note.job_id } }),
    }),
  )
}

function unknownOutcome(jobId: string | undefined): ToolError {
  return new ToolError(
    "outcome_unknown",
    "The server stopped during the call with this key, and it is not run again. Look at the state before you decide.",
    { executionState: "outcome_unknown", ...(jobId === undefined ? {} : { details: { job_id: jobId } }) },
  )
}

function failure(error: ToolError): ToolResult {
  const { output } = error
  return { success: false, error: errorBody(error), ...(output === undefined ? {} : { output }) }
}

function inProgress(row: CallKeyRow): ToolError {
  return new ToolError(
    "call_in_progress",
    "The call with this key has not ended yet. Send the identical call again to get its result.",
    { details: { call_id: row.callId }, executionState: "outcome_unknown" },
  )
}
