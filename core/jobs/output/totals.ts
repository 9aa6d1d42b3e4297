import { countNewlines } from "./newlines.ts"

const LINE_FEED = 0x0a

/** Exact totals of what a stream wrote: bytes, and lines (a last one without newline counts, shells.md §4.1). */
export class StreamCounter {
  bytes = 0
  #ends = 0
  #last = LINE_FEED

  /** Counts a chunk as written. */
  push(chunk: Uint8Array): void {
    this.bytes += chunk.length
    this.#ends += countNewlines(chunk)
    this.#last = chunk.at(-1) ?? this.#last
  }

  /** Counts bytes that are known to be missing, and the ends of lines in them, where those are known. */
  skip(bytes: number, ends = 0): void {
    this.bytes += bytes
    this.#ends += ends
  }

  /** Ends of lines so far. */
  get newlines(): number {
    return this.#ends
  }

  /** Lines so far. */
  get lines(): number {
    return this.#ends + (this.#last === LINE_FEED ? 0 : 1)
  }
}

const NOTHING = { bytes_total: 0, lines_total: 0, dropped_bytes: 0, masked: 0 }

/** The totals of an execution that wrote nothing. */
export const NO_OUTPUT = { stdout: NOTHING, stderr: NOTHING } as const
