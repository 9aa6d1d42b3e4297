import type { WireResult } from "./transport.ts"
import type { ToolErrorBody } from "./types.ts"

/** Whether a value is an object with named members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Whether a value is a ToolResult: an object with a boolean `success` and what that promises (spec doors.md §5.3). */
export function isWireResult(value: unknown): value is WireResult {
  if (!isRecord(value)) return false
  return value["success"] === true
    ? isRecord(value["output"])
    : value["success"] === false && isErrorBody(value["error"])
}

function isErrorBody(value: unknown): value is ToolErrorBody {
  if (!isRecord(value)) return false
  return ["kind", "message", "recovery"].every((member) => typeof value[member] === "string")
}
