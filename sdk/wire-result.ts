import type { ToolErrorBody, ToolName, ToolResult } from "./types.ts"

/** Whether a value is an object with named members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * Whether a value is a ToolResult: an object with a boolean `success` and what that promises (spec doors.md §5.3). That the
 * output is the named tool's is the server's word: its replies and the generated types come from one definition.
 */
export function isToolResult<Name extends ToolName = ToolName>(value: unknown): value is ToolResult<Name> {
  if (!isRecord(value)) return false
  return value["success"] === true ? isRecord(value["output"]) : errorBodyOf(value) !== undefined
}

/** The error of a ToolResult that has one; `undefined` for anything else. */
export function errorBodyOf(result: unknown): ToolErrorBody | undefined {
  return isRecord(result) && result["success"] === false && isErrorBody(result["error"]) ? result["error"] : undefined
}

function isErrorBody(value: unknown): value is ToolErrorBody {
  return isRecord(value) && ["kind", "message", "recovery"].every((member) => typeof value[member] === "string")
}
