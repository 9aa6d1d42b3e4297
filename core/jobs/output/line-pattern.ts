import { RE2JS, RE2JSException } from "re2js"
import { ToolError } from "../../kernel/error.ts"

/** Tells which lines match a pattern, in time linear in the line. */
export interface LinePattern {
  matches(line: string): boolean
}

/** Longest pattern, in UTF-8 bytes (shells.md §4.4). */
const MAX_PATTERN_BYTES = 4096
const MAX_REASON = 200

function invalid(field: string, reason: string): ToolError {
  const shown = reason.slice(0, MAX_REASON)
  return new ToolError("budget_invalid", `The pattern in ${field} cannot be used: ${shown}. Send an RE2 pattern.`, {
    details: { field, reason: shown },
    executionState: "not_started",
  })
}

/**
 * Compiles a pattern of the RE2 class (shells.md §4.4), 1..4,096 bytes. `field` names it in the error.
 *
 * @throws ToolError `budget_invalid`.
 */
export function compileLinePattern(pattern: string, field: string): LinePattern {
  const bytes = new TextEncoder().encode(pattern).length
  if (bytes === 0 || bytes > MAX_PATTERN_BYTES)
    throw invalid(field, `it has ${bytes} bytes of 1 to ${MAX_PATTERN_BYTES}`)
  try {
    const compiled = RE2JS.compile(pattern)
    return { matches: (line) => compiled.test(line) }
  } catch (error) {
    if (error instanceof RE2JSException) throw invalid(field, error.message)
    throw error
  }
}
