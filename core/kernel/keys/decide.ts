import type { CallKeyRow } from "../call-keys.ts"

/** How long after its deadline a started call may still finish before nobody knows its outcome (spec doors.md §2.5). */
export const FINISH_GRACE_MS = 30_000

/** What a later request with the same principal and key gets (spec doors.md §2.5). */
export type KeyDecision = "conflict" | "replay" | "not_retained" | "recovered" | "wait" | "outcome_unknown"

/** Decides by the row alone; nothing is ever run again. `now` is the wall clock. */
export function decideByKey(
  row: CallKeyRow,
  request: { readonly tool: string; readonly inputHash: string },
  now: number,
): KeyDecision {
  if (row.tool !== request.tool || row.inputHash !== request.inputHash) return "conflict"
  if (row.state === "finished") return row.result === undefined ? "not_retained" : "replay"
  if (row.recovered !== undefined) return "recovered"
  return now < row.deadlineAt + FINISH_GRACE_MS ? "wait" : "outcome_unknown"
}
