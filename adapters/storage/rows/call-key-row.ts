import type { Selectable } from "kysely"
import type { CallKeyRow } from "../../../core/kernel/call-keys.ts"
import type { CallKeysTable } from "../schema.ts"

/** The call key of a row. */
export function callKeyOf(row: Selectable<CallKeysTable>): CallKeyRow {
  return {
    keyHash: row.key_hash,
    tool: row.tool,
    inputHash: row.input_hash,
    callId: row.call_id,
    state: row.state,
    deadlineAt: row.deadline_at,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    ...(row.result !== null && { result: row.result }),
    ...(row.recovered_json !== null && { recovered: row.recovered_json }),
  }
}

/** The row of a call key. */
export function callKeyRow(key: CallKeyRow): Selectable<CallKeysTable> {
  return {
    key_hash: key.keyHash,
    tool: key.tool,
    input_hash: key.inputHash,
    call_id: key.callId,
    state: key.state,
    result: key.result ?? null,
    recovered_json: key.recovered ?? null,
    deadline_at: key.deadlineAt,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
  }
}
