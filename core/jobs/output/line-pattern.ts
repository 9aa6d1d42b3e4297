import { RE2JS, RE2JSException } from "re2js"
import { ToolError } from "../../kernel/error.ts"
import type { ViewLine } from "./line-reader.ts"

/** Tells which lines match a pattern, in time linear in the line. */
export interface LinePattern {
  matches(line: string): boolean
  /** `false` only where no line of a text of whole lines matches; costs one look for all of them. */
  mayMatch(text: string): boolean
}

/** Parts of a pattern that mean something else in a text of several lines. */
const NEEDS_SINGLE_LINES = /\\[AzZQ]|\(\?[A-Za-z]*-[A-Za-z]*m/

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
    const ofLines = NEEDS_SINGLE_LINES.test(pattern) ? undefined : RE2JS.compile(pattern, RE2JS.MULTILINE)
    return { matches: (line) => compiled.test(line), mayMatch: (text) => ofLines?.test(text) ?? true }
  } catch (error) {
    if (error instanceof RE2JSException) throw invalid(field, error.message)
    throw error
  }
}

/** No text of an output: stands where a line goes on, so that `^` and `$` do not hold there. */
const GOES_ON = "\u{10fffe}"

/** Whether a line, or what is known of it, matches: the edge of a piece is not the edge of a line. */
export function lineMatches(pattern: LinePattern, { text, edges }: Pick<ViewLine, "text" | "edges">): boolean {
  if (edges.start && edges.end) return pattern.matches(text)
  return pattern.matches(`${edges.start ? "" : GOES_ON}${text}${edges.end ? "" : GOES_ON}`)
}
