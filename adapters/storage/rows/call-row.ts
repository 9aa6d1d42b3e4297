import type { FinishedCall } from "../../../core/ledger/finished-call.ts"

/** What an appended `tool_call_finished` has in its columns: the event's schema was asked before, checks hold the words. */
export interface CallColumns {
  call_id: string
  invocation_id: string
  role: FinishedCall["role"]
  tool_name: string
  status: FinishedCall["status"]
  effect: FinishedCall["effect"]
  activity: FinishedCall["activity"]
}

/** A finished call from its columns alone. */
export function callOf(
  row: CallColumns & {
    readonly seq: number
    readonly error_kind: string | null
    readonly execution_state: string | null
  },
): FinishedCall {
  const call = {
    seq: row.seq,
    callId: row.call_id,
    invocationId: row.invocation_id,
    role: row.role,
    toolName: row.tool_name,
    status: row.status,
    effect: row.effect,
    activity: row.activity,
  }
  if (row.error_kind === null && row.execution_state === null) return call
  return {
    ...call,
    ...(row.error_kind === null ? {} : { errorKind: row.error_kind }),
    ...(row.execution_state === null ? {} : { executionState: row.execution_state }),
  }
}
