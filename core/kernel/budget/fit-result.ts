import type { Reduction } from "../definition.ts"
import type { BudgetReport, ToolResult } from "../result.ts"
import { serialisedLength } from "./escaped-length.ts"
import { isJsonObject, type JsonObject, placesAt } from "./json-path.ts"
import { detailMarks, dropMembers, outputMarks, type ReductionResult, reduceLists, reduceTexts } from "./reductions.ts"

/** One entry of `attached.budget.cut`: what was cut, counted in `unit`. */
export type Cut = BudgetReport["cut"][number]

/** A result that went through the output budget, and what was cut out of it (≤ 8 entries). */
export interface FittedResult {
  readonly result: ToolResult
  readonly cut: readonly Cut[]
}

/** Most entries of `attached.budget.cut`. */
export const MAX_CUTS = 8
const LARGEST = 999_999_999

function apply(root: object, rule: Reduction, excess: number): ReductionResult {
  const places = placesAt(root, rule.at)
  switch (rule.kind) {
    case "text":
      return reduceTexts(places, excess, rule.min)
    case "list":
      return reduceLists(places, excess, { min: rule.min, marks: outputMarks })
    case "drop":
      return dropMembers(places, excess)
  }
}

/** What remains to be saved, and what has been cut so far; the report itself counts. */
class Ledger {
  readonly cuts: Cut[] = []
  readonly #limit: number
  readonly #hasAttached: boolean
  #size: number

  constructor(result: ToolResult, limit: number) {
    this.#limit = limit
    this.#size = serialisedLength(result)
    this.#hasAttached = result.attached !== undefined
  }

  get fits(): boolean {
    return this.#size + this.#reportLength(this.cuts) <= this.#limit
  }

  /** How much a reduction at `at` has to save, its own entry included. */
  excess(at: string): number {
    const entry = { at, unit: "characters", total: LARGEST, kept: LARGEST }
    return this.#size + this.#reportLength([...this.cuts, entry]) - this.#limit
  }

  note(at: string, done: ReductionResult): void {
    if (done.kept === done.total) return
    this.#size -= done.saved
    if (this.cuts.length < MAX_CUTS) this.cuts.push({ at, unit: done.unit, total: done.total, kept: done.kept })
  }

  #reportLength(cuts: readonly Cut[]): number {
    if (cuts.length === 0) return 0
    const member = serialisedLength({ budget: { limit_chars: this.#limit, cut: cuts.slice(0, MAX_CUTS) } })
    return this.#hasAttached ? member - 1 : member + ',"attached":'.length
  }
}

function reduceOutput(output: object, ledger: Ledger, reduce: readonly Reduction[]): void {
  for (const rule of reduce) {
    if (ledger.fits) return
    ledger.note(rule.at, apply(output, rule, ledger.excess(rule.at)))
  }
}

/** Shortens the lists of an error's details; if that is not enough, the details go (kernel.md §13). */
function reduceDetails(error: JsonObject, ledger: Ledger): void {
  const { details } = error
  if (!isJsonObject(details)) return
  for (const key of Object.keys(details)) {
    if (ledger.fits) return
    const at = `error.details.${key}`
    const options = { min: 0, marks: detailMarks }
    ledger.note(at, reduceLists([{ parent: details, key }], ledger.excess(at), options))
  }
  if (ledger.fits) return
  ledger.note("error.details", dropMembers([{ parent: error, key: "details" }], ledger.excess("error.details")))
}

function withReport(result: ToolResult, limit: number, cut: readonly Cut[]): ToolResult {
  if (cut.length === 0) return result
  return { ...result, attached: { ...result.attached, budget: { limit_chars: limit, cut } } }
}

/**
 * The last guard on a reply (kernel.md §13): brings its serialised JSON to ≤ `limit` UTF-16 units, the report in
 * `attached.budget` included, by the rules of `reduce` in order. What the rules cannot shorten stays, even if it
 * passes a small limit; success is never changed, and nothing of the given result is modified.
 */
export function fitResult(
  result: ToolResult,
  options: { readonly limit: number; readonly reduce: readonly Reduction[] },
): FittedResult {
  const ledger = new Ledger(result, options.limit)
  if (ledger.fits) return { result, cut: [] }
  const copy = structuredClone(result)
  if (!copy.success && isJsonObject(copy.error)) reduceDetails(copy.error, ledger)
  if (copy.output !== undefined) reduceOutput(copy.output, ledger, options.reduce)
  return { result: withReport(copy, options.limit, ledger.cuts), cut: ledger.cuts }
}
