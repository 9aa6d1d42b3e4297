const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** What a piece of input completed: a line without its end, or the news that a line passed the limit, said once. */
export type SplitLine = Uint8Array | "too_long"

/** Cuts a byte stream into lines of at most `limitBytes`; of a longer one nothing is kept, and the next line is whole again. */
export class LineSplitter {
  readonly #limitBytes: number
  #parts: Uint8Array[] = []
  #bytes = 0
  #skipping = false

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** The lines that this chunk completes; empty ones are left out. */
  *push(chunk: Uint8Array): Generator<SplitLine> {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield* this.#keep(chunk.subarray(start, end))
      yield* this.#take()
      start = end + 1
    }
    yield* this.#keep(chunk.subarray(start))
  }

  /** What came after the last line's end, when the input is over. */
  *end(): Generator<SplitLine> {
    yield* this.#take()
  }

  *#keep(part: Uint8Array): Generator<SplitLine> {
    if (this.#skipping || part.length === 0) return
    this.#bytes += part.length
    if (this.#bytes <= this.#limitBytes) {
      this.#parts.push(part)
      return
    }
    this.#parts = []
    this.#skipping = true
    yield "too_long"
  }

  *#take(): Generator<SplitLine> {
    const [first, ...others] = this.#parts
    this.#parts = []
    this.#bytes = 0
    this.#skipping = false
    if (first === undefined) return
    const line = withoutReturn(others.length === 0 ? first : Buffer.concat([first, ...others]))
    if (line.length > 0) yield line
  }
}

function withoutReturn(line: Uint8Array): Uint8Array {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
}
