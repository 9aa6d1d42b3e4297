import type { ByteClass } from "./byte-class.ts"
import { ALNUM, BLANK } from "./byte-class.ts"
import type { Recogniser, Verdict } from "./recogniser.ts"
import type { Window } from "./window.ts"

/** A secret that is one run of a class of bytes. */
export interface RunShape {
  readonly name: string
  readonly members: ByteClass
  readonly min: number
  /** Longest run, where the length is fixed; then no letter or digit may follow. */
  readonly max?: number
}

/** Follows a run to its end: key prefixes with their body, and the value after `Bearer` and `Basic`. */
export class RunRecogniser implements Recogniser {
  name = ""
  holdFrom = 0
  cursor = 0
  from = 0
  to = 0
  readonly overflow = "mask"
  readonly ended = true
  #shape: RunShape = { name: "", members: BLANK, min: 0 }
  #bodyFrom = 0
  #inGap = false

  /** Starts at `cursor`; the mask begins at `from`, or after the blanks when `gap` says that some must come first. */
  begin(shape: RunShape, at: { from: number; cursor: number; gap: boolean }): void {
    this.#shape = shape
    this.name = shape.name
    this.from = at.from
    this.cursor = at.cursor
    this.holdFrom = at.from
    this.#bodyFrom = at.cursor
    this.#inGap = at.gap
  }

  advance(window: Window, stop: number): Verdict {
    const { bytes, base } = window
    if (this.#inGap) {
      while (this.cursor < stop && BLANK[bytes[this.cursor - base] ?? 0] === 1) this.cursor++
      this.holdFrom = this.cursor
      if (this.cursor === stop) return "more"
      if (this.cursor === this.#bodyFrom) return "fail"
      this.#inGap = false
      this.#bodyFrom = this.cursor
      this.from = this.cursor
    }
    const { members } = this.#shape
    let at = this.cursor - base
    const end = stop - base
    while (at < end && members[bytes[at] ?? 0] === 1) at++
    this.cursor = base + at
    if (at === end) return "more"
    return this.#ended(ALNUM[bytes[at] ?? 0] === 1)
  }

  opaque(): Verdict {
    return this.#ended(false)
  }

  finish(): Verdict {
    return this.#ended(false)
  }

  #ended(beforeAlnum: boolean): Verdict {
    if (this.#inGap) return "fail"
    const { min, max } = this.#shape
    const length = this.cursor - this.#bodyFrom
    this.to = this.cursor
    if (length < min) return "fail"
    return max !== undefined && (length > max || beforeAlnum) ? "fail" : "mask"
  }
}
