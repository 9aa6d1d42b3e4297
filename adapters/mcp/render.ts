import type { CallToolResult } from "@modelcontextprotocol/server"
import type { ToolResult } from "../../core/kernel/result.ts"

/**
 * A ToolResult as an MCP result (spec doors.md §4.3): the whole of it as `structuredContent`, the same JSON without
 * sidecars as the first text block, the sidecars as a second one (hosts read one or the other).
 */
export function renderResult(result: ToolResult, requestId: string): CallToolResult {
  const { attached, ...bare } = result
  return {
    content: [
      { type: "text", text: JSON.stringify(bare) },
      ...(attached === undefined ? [] : [{ type: "text" as const, text: JSON.stringify({ attached }) }]),
    ],
    structuredContent: { ...result },
    isError: !result.success,
    _meta: { "holdfast/request-id": requestId },
  }
}
