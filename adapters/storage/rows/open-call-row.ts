import type { Selectable } from "kysely"
import { z } from "zod"
import type { OpenCall } from "../../../core/ledger/store.ts"
import type { OpenCallsTable } from "../schema.ts"
import { fromJson, toJson } from "./json.ts"

const hintSchema = z.strictObject({
  job_id: z.string().exactOptional(),
  shell_uid: z.string().exactOptional(),
  project_pk: z.string().exactOptional(),
  key_hash: z.string().exactOptional(),
})

/** The open call of a row. */
export function openCallOf(row: Selectable<OpenCallsTable>): OpenCall {
  return {
    callId: row.call_id,
    invocationId: row.invocation_id,
    tool: row.tool,
    instance: row.instance,
    startedAt: row.started_at,
    ...(row.role !== null && { role: row.role }),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.started_seq !== null && { startedSeq: row.started_seq }),
    ...(row.hint_json !== null && { hint: fromJson(hintSchema, row.hint_json) }),
  }
}

/** The row of an open call. */
export function openCallRow(call: OpenCall): Selectable<OpenCallsTable> {
  return {
    call_id: call.callId,
    invocation_id: call.invocationId,
    role: call.role ?? null,
    session_id: call.sessionId ?? null,
    tool: call.tool,
    instance: call.instance,
    started_at: call.startedAt,
    started_seq: call.startedSeq ?? null,
    hint_json: toJson(call.hint),
  }
}
