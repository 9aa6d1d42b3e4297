import { MAX_BUDGET_CHARS, type OutputBudget } from "./budget.ts"
import { GrepLines } from "./grep-lines.ts"
import { HeadTailText } from "./head-tail-text.ts"
import {
  type Gap,
  type LineBlock,
  type LineVisitor,
  type PageSource,
  type PartFacts,
  readLines,
  type ViewLine,
} from "./line-reader.ts"

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

/** What stands in place of bytes that are not kept any more. */
export function droppedMarker({ from, to }: Gap): string {
  return `... ${to - from} bytes dropped ...\n`
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

  /** Whole lines that follow each other, all kept. */
  writeBlock({ number, lines, text }: LineBlock): void {
    this.#gap(number - 1 - this.#written, "\n")
    this.kept += lines
    this.#written = number + lines - 1
    this.#lastNumber = this.#written
    this.#lastEnded = true
    this.#out.push(text)
  }

  /** Bytes are missing behind `part`; numbers begin anew. */
  dropped(gap: Gap, part: PartFacts): void {
    this.#gap(part.lines - this.#written, "\n")
    if (!this.#lastEnded && this.#written === part.lines) this.#out.push("\n")
    this.#out.push(droppedMarker(gap))
    this.#written = 0
    this.#lastNumber = 0
    this.#lastEnded = true
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

/** Who takes the lines that grep selects, each with its index among them. */
interface Sink {
  line(line: ViewLine, index: number): void
  /** Takes a whole block, the first line of which has this index, or answers `false`. */
  block(block: LineBlock, index: number): boolean
  gap(gap: Gap, part: PartFacts): void
}

interface Selected extends PartFacts {
  readonly selected: number
  /** Lines of all parts. */
  readonly linesRead: number
  readonly hasGap: boolean
  readonly binary: boolean
}

async function select(source: PageSource, grep: OutputBudget["grep"], sink: Sink): Promise<Selected> {
  let selected = 0
  let lastNumber = 0
  let before = 0
  let hasGap = false
  const pass = (line: ViewLine): void => {
    if (line.number !== lastNumber) selected++
    lastNumber = line.number
    sink.line(line, selected - 1)
  }
  const lines = grep === undefined ? undefined : new GrepLines(grep, pass)
  const visitor: LineVisitor = {
    line: (line) => (lines === undefined ? pass(line) : lines.push(line)),
    wanted(block) {
      if (lines !== undefined) return lines.wanted(block)
      if (!sink.block(block, selected)) return Number.POSITIVE_INFINITY
      selected += block.lines
      return 0
    },
    gap(gap, part) {
      before += part.lines
      hasGap = true
      lastNumber = 0
      lines?.restart()
      sink.gap(gap, part)
    },
  }
  const facts = await readLines(source, visitor)
  return { selected, hasGap, ...facts, linesRead: before + facts.lines }
}

const COUNTING: Sink = { line: () => undefined, block: () => true, gap: () => undefined }

/**
 * The view of one whole retained stream under a budget: grep, then keep, then max_chars (shells.md §4.4). The source
 * is read twice where the end decides what is kept; memory is bounded by what may be returned, never by the stream.
 * `linesTotal`: lines of the stream with what was dropped of it.
 */
export async function applyBudget(
  source: PageSource,
  budget: OutputBudget,
  linesTotal?: number,
): Promise<BudgetedText> {
  const { keep } = budget
  const max = budget.maxChars ?? MAX_BUDGET_CHARS
  const counted = keep.tail > 0 ? await select(source, budget.grep, COUNTING) : undefined
  const total = counted?.selected ?? Number.POSITIVE_INFINITY
  const out = new HeadTailText(Math.floor(max / 2), Math.ceil(max / 2))
  const writer = new LineWriter(out)
  const facts = await select(source, budget.grep, {
    line(line, index) {
      if (isKept(keep, index, total)) writer.write(line)
    },
    block(block, index) {
      const end = index + block.lines
      const isWhole = end <= keep.head || index >= total - keep.tail
      if (isWhole) writer.writeBlock(block)
      return isWhole || (index >= keep.head && end <= total - keep.tail)
    },
    gap: (gap, part) => writer.dropped(gap, part),
  })
  writer.end(facts.lines, facts.endsInNewline)
  const { text, cut } = limitChars(out, max)
  return {
    text,
    truncated: cut || facts.hasGap || writer.kept < facts.linesRead,
    mode: budget.mode,
    lines_total: facts.hasGap ? (linesTotal ?? facts.linesRead) : facts.linesRead,
    lines_kept: writer.kept,
    binary: facts.binary,
  }
}
