import { byteClass } from "./byte-class.ts"
import type { Recogniser, Verdict } from "./recogniser.ts"
import type { Window } from "./window.ts"

const LABEL = byteClass("A-Z0-9 ")
const KEY_LABEL = /^[A-Z0-9 ]*PRIVATE KEY[A-Z ]*$/
const MAX_LABEL = 64
const DASH = 0x2d
const END_DASHES = 5

/** The first line of a PEM private key: `-----BEGIN`, a label that names a private key, five dashes. */
export class PemHeaderRecogniser implements Recogniser {
  readonly name = "private_key"
  readonly overflow = "fail"
  readonly ended = true
  holdFrom = 0
  cursor = 0
  from = 0
  to = 0
  #labelFrom = 0
  #dashes = 0

  /** Starts after `-----BEGIN `, which stands at `from`. */
  begin(from: number, cursor: number): void {
    this.from = from
    this.holdFrom = from
    this.cursor = cursor
    this.#labelFrom = cursor
    this.#dashes = 0
  }

  advance(window: Window, stop: number): Verdict {
    const { bytes, base } = window
    while (this.cursor < stop) {
      const byte = bytes[this.cursor - base] ?? 0
      if (byte === DASH) {
        if (++this.#dashes === END_DASHES) return this.#ended(window)
      } else if (this.#dashes > 0 || LABEL[byte] !== 1 || this.cursor - this.#labelFrom >= MAX_LABEL) return "fail"
      this.cursor++
    }
    return "more"
  }

  opaque(): Verdict {
    return "fail"
  }

  finish(): Verdict {
    return "fail"
  }

  #ended(window: Window): Verdict {
    this.to = this.cursor + 1
    return KEY_LABEL.test(window.ascii(this.#labelFrom, this.to - END_DASHES)) ? "body" : "fail"
  }
}
