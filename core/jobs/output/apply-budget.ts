import { MAX_BUDGET_CHARS, type OutputBudget } from "./budget.ts"
import { GrepLines } from "./grep-lines.ts"
import { HeadTailText } from "./head-tail-text.ts"
import { type PageSource, readLines, type ViewLine } from "./line-reader.ts"

/** What a budget left of one stream. */
export interface BudgetedText {
  readonly text: string
  /** `text` is not the whole stream. */
  readonly truncated: boolean
  readonly mode: string
  readonly lines_total: number
  readonly lines_kept: number
  readonly binary: boolean
}

function linesMarker(count: number): string {
  return `... ${count} lines elided ...`
}

/** What stands in place of `count` characters. */
export function charsMarker(count: number): string {
  return `\n... ${count} chars elided ...\n`
}

/** Writes kept lines and, for each gap between them, a marker on a line of its own. */
class LineWriter {
  kept = 0
  readonly #out: HeadTailText
  #written = 0
  #lastNumber = 0
  #lastEnded = true

  constructor(out: HeadTailText) {
    this.#out = out
  }

  write(line: ViewLine): void {
    const goesOn = line.number === this.#lastNumber && !this.#lastEnded
    if (!goesOn) {
      this.#gap(line.number - 1 - this.#written, "\n")
      this.kept++
    }
    this.#written = line.number
    this.#lastNumber = line.number
    this.#lastEnded = line.ended
    this.#out.push(line.ended ? `${line.text}\n` : line.text)
  }

  /** The gap up to the end of `lines` lines. */
  end(lines: number, endsInNewline: boolean): void {
    this.#gap(lines - this.#written, endsInNewline ? "\n" : "")
  }

  #gap(count: number, after: string): void {
    if (count > 0) this.#out.push(linesMarker(count) + after)
  }
}

function isKept(keep: OutputBudget["keep"], index: number, total: number): boolean {
  return index < keep.head || index >= total - keep.tail
}

function limitChars(out: HeadTailText, max: number): { text: string; cut: boolean } {
  if (out.chars <= max) return { text: out.whole(), cut: false }
  if (max < 2) return { text: "", cut: true }
  const half = Math.floor(max / 2)
  const { head, tail } = out.ends(half, max - half)
  return { text: head + charsMarker(out.chars - max) + tail, cut: true }
}

/** Visits the lines that grep selects, each with its index among them. */
async function select(
  source: PageSource,
  grep: OutputBudget["grep"],
  visit: (line: ViewLine, index: number) => void,
): Promise<{ selected: number; lines: number; endsInNewline: boolean; binary: boolean }> {
  let selected = 0
  let lastNumber = 0
  const pass = (line: ViewLine): void => {
    if (line.number !== lastNumber) selected++
    lastNumber = line.number
    visit(line, selected - 1)
  }
  const lines = grep === undefined ? { push: pass } : new GrepLines(grep, pass)
  const facts = await readLines(source, "clean", (line) => lines.push(line))
  return { selected, ...facts }
}

/**
 * The view of one whole retained stream under a budget: grep, then keep, then max_chars (shells.md §4.4). The source
 * is read twice where the end decides what is kept; memory is bounded by what may be returned, never by the stream.
 */
export async function applyBudget(source: PageSource, budget: OutputBudget): Promise<BudgetedText> {
  const { keep } = budget
  const max = budget.maxChars ?? MAX_BUDGET_CHARS
  const counted = keep.tail > 0 ? await select(source, budget.grep, () => undefined) : undefined
  const total = counted?.selected ?? Number.POSITIVE_INFINITY
  const out = new HeadTailText(Math.floor(max / 2), Math.ceil(max / 2))
  const writer = new LineWriter(out)
  const facts = await select(source, budget.grep, (line, index) => {
    if (isKept(keep, index, total)) writer.write(line)
  })
  writer.end(facts.lines, facts.endsInNewline)
  const { text, cut } = limitChars(out, max)
  return {
    text,
    truncated: cut || writer.kept < facts.lines,
    mode: budget.mode,
    lines_total: facts.lines,
    lines_kept: writer.kept,
    binary: facts.binary,
  }
}
