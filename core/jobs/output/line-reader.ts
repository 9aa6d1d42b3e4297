import { TextView, type ViewKind } from "./text-view.ts"

/** A stream's retained bytes in order; each call reads them from the start again. */
export type PageSource = () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** One line of a view, or a piece of a very long one. */
export interface ViewLine {
  /** 1-based; the pieces of one line share it. */
  readonly number: number
  /** Offset, in what is read, of the byte that the line begins with. */
  readonly byte: number
  readonly text: string
  /** Whether a newline ends it. */
  readonly ended: boolean
}

/** What a whole reading found out. */
export interface ReadFacts {
  readonly lines: number
  /** Whether the last line has a newline. */
  readonly endsInNewline: boolean
  readonly binary: boolean
}

const LINE_FEED = 0x0a

/** Reads bytes as lines of a view, one newline at a time, so that each line's place in the stream is known. */
class LineReader {
  readonly #view: TextView
  readonly #visit: (line: ViewLine) => void
  #offset = 0
  #lineFrom = 0
  #number = 1
  #open = false

  constructor(kind: ViewKind, visit: (line: ViewLine) => void) {
    this.#view = new TextView(kind)
    this.#visit = visit
  }

  push(page: Uint8Array): void {
    let from = 0
    while (from < page.length) {
      const newline = page.indexOf(LINE_FEED, from)
      const to = newline < 0 ? page.length : newline + 1
      this.#offset += to - from
      this.#emit(this.#view.push(page.subarray(from, to)))
      from = to
    }
  }

  end(): ReadFacts {
    this.#emit(this.#view.end())
    const lines = this.#number - (this.#open ? 0 : 1)
    return { lines, endsInNewline: lines > 0 && !this.#open, binary: this.#view.binary }
  }

  #emit(text: string): void {
    if (text === "") return
    const ended = text.endsWith("\n")
    this.#visit({
      number: this.#number,
      byte: this.#lineFrom,
      text: ended ? text.slice(0, -1) : text,
      ended,
    })
    this.#open = !ended
    if (!ended) return
    this.#number++
    this.#lineFrom = this.#offset
  }
}

/** Visits every line of the source in order; memory stays bounded by the longest line (in pieces of ≤ 1 MiB) and a page. */
export async function readLines(
  source: PageSource,
  kind: ViewKind,
  visit: (line: ViewLine) => void,
): Promise<ReadFacts> {
  const reader = new LineReader(kind, visit)
  for await (const page of source()) reader.push(page)
  return reader.end()
}
