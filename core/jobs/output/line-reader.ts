import { hasControls } from "./control-reduction.ts"
import { countNewlines } from "./newlines.ts"
import { TextView } from "./text-view.ts"

/** Retained bytes of a stream and where in it they begin. */
export interface Page {
  readonly bytes: Uint8Array
  readonly from: number
}

/**
 * A stream's retained bytes in order; each call reads them from the start again. A page that begins behind the end of
 * the one before it says that what lies between was dropped.
 */
export type PageSource = () => Iterable<Page> | AsyncIterable<Page>

/** One line of the clean view, or a piece of a very long one. */
export interface ViewLine {
  /** 1-based in its part of the stream; the pieces of one line share it. */
  readonly number: number
  /** Offset of the byte that the line begins with. */
  readonly byte: number
  readonly text: string
  /** Whether a newline ends it. */
  readonly ended: boolean
  /** Whether the line begins and ends with this text; not so at the edges of pieces and of what was dropped. */
  readonly edges: { readonly start: boolean; readonly end: boolean }
}

/** Whole plain lines that lie next to each other; `text` ends in a newline. */
export interface LineBlock {
  readonly number: number
  readonly lines: number
  readonly text: string
}

/** What is known of a part of a stream that was read: all of it, or what lies before or behind a dropped middle. */
export interface PartFacts {
  readonly lines: number
  /** Whether the last line has a newline. */
  readonly endsInNewline: boolean
}

/** What a whole reading found out. */
export interface ReadFacts extends PartFacts {
  readonly binary: boolean
}

/** Bytes that are missing: their first offset and the one behind them. */
export interface Gap {
  readonly from: number
  readonly to: number
}

/** Who looks at lines. */
export interface LineVisitor {
  line(line: ViewLine): void
  /** How many of the last lines of a block are to be visited; the others need not be taken apart. */
  wanted(block: LineBlock): number
  /** Bytes are missing behind the part just read; numbers begin at 1 again. */
  gap(gap: Gap, part: PartFacts): void
}

const LINE_FEED = 0x0a

/** Reads pages as lines, so that each line's place in the stream is known. */
export class LineReader {
  readonly #visitor: LineVisitor
  #view = new TextView("clean")
  #binary = false
  #offset: number | undefined
  #lineFrom = 0
  #number = 1
  /** A piece of the line under way was given out. */
  #open = false
  /** The line under way began before what is read. */
  #broken: boolean

  /** `midLine`: reading begins within a line. */
  constructor(visitor: LineVisitor, midLine = false) {
    this.#visitor = visitor
    this.#broken = midLine
  }

  /** Where the line under way began: everything before it was visited. */
  get lineFrom(): number {
    return this.#lineFrom
  }

  push({ bytes, from }: Page): void {
    if (this.#offset === undefined) this.#lineFrom = from
    else if (this.#offset !== from) this.#break(this.#offset, from)
    this.#offset = from
    let at = this.#isResting() ? this.#pushBlock(bytes, 0) : 0
    let wasTried = at > 0
    while (at < bytes.length) {
      const newline = bytes.indexOf(LINE_FEED, at)
      const to = newline < 0 ? bytes.length : newline + 1
      this.#offset = from + to
      this.#emit(this.#view.push(bytes.subarray(at, to)), { start: !this.#broken, end: false })
      at = to
      if (wasTried || !this.#isResting()) continue
      wasTried = true
      at = this.#pushBlock(bytes, at)
    }
  }

  end(): ReadFacts {
    this.#emit(this.#view.end(), { start: !this.#broken, end: true })
    return { ...this.#part(), binary: this.#binary || this.#view.binary }
  }

  #isResting(): boolean {
    return !this.#open && !this.#broken && this.#view.isResting
  }

  /** Passes all whole lines of a page at once if they are plain; gives the position behind them. */
  #pushBlock(bytes: Uint8Array, at: number): number {
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    const block = bytes.subarray(at, Math.max(at, end))
    if (block.length === 0 || hasControls(block)) return at
    const text = this.#view.push(block)
    const lines = countNewlines(block)
    const first = this.#number
    const wanted = Math.min(lines, this.#visitor.wanted({ number: first, lines, text }))
    if (wanted > 0) this.#visitLast(block, text, { lines, wanted })
    this.#offset = (this.#offset ?? 0) + block.length
    this.#number = first + lines
    this.#lineFrom = this.#offset
    return end
  }

  #visitLast(block: Uint8Array, text: string, count: { readonly lines: number; readonly wanted: number }): void {
    let byte = 0
    let unit = 0
    if (count.wanted < count.lines) {
      byte = block.length - 1
      unit = text.length - 1
      for (let left = count.wanted; left > 0; left--) {
        byte = block.lastIndexOf(LINE_FEED, byte - 1)
        unit = text.lastIndexOf("\n", unit - 1)
      }
      byte++
      unit++
    }
    let number = this.#number + count.lines - count.wanted
    while (unit < text.length) {
      const end = text.indexOf("\n", unit)
      const line = { number, byte: (this.#offset ?? 0) + byte, text: text.slice(unit, end), ended: true }
      this.#visitor.line({ ...line, edges: { start: true, end: true } })
      number++
      unit = end + 1
      byte = block.indexOf(LINE_FEED, byte) + 1
    }
  }

  #part(): PartFacts {
    const lines = this.#number - (this.#open ? 0 : 1)
    return { lines, endsInNewline: lines > 0 && !this.#open }
  }

  #break(from: number, to: number): void {
    this.#emit(this.#view.end(), { start: !this.#broken, end: false })
    this.#visitor.gap({ from, to }, this.#part())
    this.#binary ||= this.#view.binary
    this.#view = new TextView("clean")
    this.#number = 1
    this.#lineFrom = to
    this.#open = false
    this.#broken = true
  }

  #emit(text: string, edges: ViewLine["edges"]): void {
    if (text === "") return
    const ended = text.endsWith("\n")
    this.#visitor.line({
      number: this.#number,
      byte: this.#lineFrom,
      text: ended ? text.slice(0, -1) : text,
      ended,
      edges: { start: edges.start && !this.#open, end: edges.end || ended },
    })
    this.#open = !ended
    if (!ended) return
    this.#broken = false
    this.#number++
    this.#lineFrom = this.#offset ?? 0
  }
}

/** Visits every line of the source in order; memory stays bounded by the longest line (in pieces of ≤ 256 KiB) and a page. */
export async function readLines(source: PageSource, visitor: LineVisitor): Promise<ReadFacts> {
  const reader = new LineReader(visitor)
  for await (const page of source()) reader.push(page)
  return reader.end()
}
