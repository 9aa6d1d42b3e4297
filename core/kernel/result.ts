import type { SessionAttention } from "../messages/attention.ts"
import type { OpenCounts } from "../messages/record.ts"
import type { ErrorKind } from "./error-kinds.ts"
import type { ExecutionState, Recovery } from "./errors/row.ts"
import type { PermissionDecision } from "./permission.ts"

/** An error as it crosses the wire (spec kernel.md §6). Members in this order, absent when empty. */
export interface ToolErrorBody {
  readonly kind: ErrorKind
  readonly message: string
  readonly recovery: Recovery
  readonly execution_state?: ExecutionState
  readonly retry_after_ms?: number
  readonly details?: object
}

/** Whether a call was recorded in the Session it named, and why not (spec messages.md §6). */
export interface SessionRecord {
  readonly session_id: string
  readonly recorded: boolean
  readonly event_id?: string
  readonly reason?: "subject" | "session_closed" | "storage_unavailable" | "recovered"
  /** What is open on its board, when anything is: a hint to look at it. */
  readonly open_counts?: OpenCounts
}

/** What the output budget left out (spec kernel.md §13). */
export interface BudgetReport {
  readonly limit_chars: number
  readonly cut: readonly { readonly at: string; readonly unit: string; readonly total: number; readonly kept: number }[]
}

/** Sidecars of a call, beside `output` so that an output always matches its schema (spec kernel.md §4). */
export interface Attached {
  readonly session_record?: SessionRecord
  readonly session_attention?: SessionAttention
  readonly permission?: Pick<PermissionDecision, "request_id" | "status" | "reason" | "risk">
  readonly redactions?: { readonly count: number; readonly names: readonly string[] }
  readonly budget?: BudgetReport
}

/** The one answer of every call through every door (spec kernel.md §6). */
export type ToolResult<Output extends object = object> =
  | { readonly success: true; readonly output: Output; readonly attached?: Attached }
  | { readonly success: false; readonly error: ToolErrorBody; readonly output?: object; readonly attached?: Attached }

/** Whether a value read back has the form of a ToolResult. */
export function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== "object" || value === null || !("success" in value)) return false
  return value.success === true ? "output" in value : value.success === false && "error" in value
}
