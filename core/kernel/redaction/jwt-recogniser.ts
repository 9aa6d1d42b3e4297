import { WORD_DASH } from "./byte-class.ts"
import type { Recogniser, Verdict } from "./recogniser.ts"
import type { Window } from "./window.ts"

const DOT = 0x2e
/** Least characters of the header and of the payload. */
const MIN_PART = 10

/** A JSON Web Token: base64url parts between dots, the first one a JSON object. */
export class JwtRecogniser implements Recogniser {
  readonly name = "jwt"
  readonly overflow = "mask"
  readonly ended = true
  holdFrom = 0
  cursor = 0
  from = 0
  to = 0
  #partFrom = 0
  #dots = 0

  /** Starts after `eyJ`, which stands at `from`. */
  begin(from: number, cursor: number): void {
    this.from = from
    this.holdFrom = from
    this.cursor = cursor
    this.#partFrom = from
    this.#dots = 0
  }

  advance(window: Window, stop: number): Verdict {
    const { bytes, base } = window
    while (this.cursor < stop) {
      const byte = bytes[this.cursor - base] ?? 0
      if (WORD_DASH[byte] !== 1 && !this.#passDot(byte)) return this.#ended()
      this.cursor++
    }
    return "more"
  }

  opaque(): Verdict {
    return this.#ended()
  }

  finish(): Verdict {
    return this.#ended()
  }

  #passDot(byte: number): boolean {
    if (byte !== DOT || (this.#dots < 2 && this.cursor - this.#partFrom < MIN_PART)) return false
    this.#dots++
    this.#partFrom = this.cursor + 1
    return true
  }

  #ended(): Verdict {
    this.to = this.cursor
    return this.#dots >= 2 ? "mask" : "fail"
  }
}
