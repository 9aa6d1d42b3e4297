/** An error as it crosses the wire (spec kernel.md §6). */
export interface ErrorReplyBody {
  kind: string
  message: string
  recovery: "fix_input" | "reobserve" | "retry_same" | "retry_later" | "reauthorize" | "none"
  execution_state?: "not_started" | "running" | "completed" | "timed_out" | "cancelled" | "outcome_unknown"
  /** @isInt */
  retry_after_ms?: number
  /** A closed object per kind. */
  details?: unknown
}

/** A refusal. */
export interface ErrorReply {
  success: false
  error: ErrorReplyBody
}

/** The ToolResult of the tool behind a route. */
export interface ToolReply {
  success: boolean
  /** An object: what the tool's definition says. */
  output?: unknown
  error?: ErrorReplyBody
  /** An object of sidecars. */
  attached?: unknown
}

/** The tool's own input; its schema is that of the tool. */
export type ToolInput = Record<string, unknown>
