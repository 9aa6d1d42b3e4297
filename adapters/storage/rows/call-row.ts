import type { CallEnd, FinishedCall } from "../../../core/ledger/finished-call.ts"

/** What an appended `tool_call_finished` has in its columns: the event's schema was asked before, checks hold the words. */
export interface EndColumns {
  role: CallEnd["role"]
  tool_name: string
  status: CallEnd["status"]
  effect: CallEnd["effect"]
  activity: CallEnd["activity"]
}

/** The same with what tells one call from another. */
export interface CallColumns extends EndColumns {
  call_id: string
  invocation_id: string
}

interface EndRow extends EndColumns {
  readonly error_kind: string | null
  readonly execution_state: string | null
}

/** How a finished call ended, from its columns alone. */
export function endOf(row: EndRow): CallEnd {
  return {
    role: row.role,
    toolName: row.tool_name,
    status: row.status,
    effect: row.effect,
    activity: row.activity,
    ...(row.error_kind !== null && { errorKind: row.error_kind }),
    ...(row.execution_state !== null && { executionState: row.execution_state }),
  }
}

/** A finished call from its columns alone. */
export function callOf(row: CallColumns & EndRow & { readonly seq: number }): FinishedCall {
  return { seq: row.seq, callId: row.call_id, invocationId: row.invocation_id, ...endOf(row) }
}
