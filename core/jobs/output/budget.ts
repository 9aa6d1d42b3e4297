import type { BudgetInput } from "./budget-input.ts"
import { compileLinePattern, type LinePattern } from "./line-pattern.ts"

/** A checked budget: what to keep of each stream (shells.md §4.4). */
export interface OutputBudget {
  readonly grep?: { readonly pattern: LinePattern; readonly context: number }
  readonly keep: { readonly head: number; readonly tail: number }
  /** Code points; absent: the largest a caller may state. */
  readonly maxChars?: number
  /** Names what is in force, e.g. `grep+tail`. */
  readonly mode: string
}

/** Characters of one stream that a budget without `max_chars` may return (its upper bound, shells.md §4.4). */
export const MAX_BUDGET_CHARS = 1_000_000

function keepOf(keep: BudgetInput["keep"]): OutputBudget["keep"] {
  const n = keep?.n ?? 0
  switch (keep?.mode) {
    case undefined:
    case "all":
      return { head: Number.POSITIVE_INFINITY, tail: 0 }
    case "head":
      return { head: n, tail: 0 }
    case "tail":
      return { head: 0, tail: n }
    case "head_tail":
      return { head: keep?.head ?? n, tail: keep?.tail ?? n }
  }
}

/**
 * Checks a budget before anything runs; its numbers are already in range.
 *
 * @throws ToolError `budget_invalid` for a pattern that does not compile.
 */
export function compileBudget(input: BudgetInput): OutputBudget {
  const { grep, keep, max_chars } = input
  const parts = [grep && "grep", keep && keep.mode !== "all" && keep.mode, max_chars !== undefined && "max_chars"]
  return {
    keep: keepOf(keep),
    mode: parts.filter((part) => typeof part === "string").join("+") || "all",
    ...(grep && { grep: { pattern: compileLinePattern(grep.pattern, "budget.grep.pattern"), context: grep.context } }),
    ...(max_chars !== undefined && { maxChars: max_chars }),
  }
}
