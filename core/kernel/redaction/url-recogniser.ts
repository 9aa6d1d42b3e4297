import { byteClass } from "./byte-class.ts"
import type { Recogniser, Verdict } from "./recogniser.ts"
import type { Window } from "./window.ts"

const COLON = 0x3a
const AT = 0x40
/** What ends the authority of a URL. */
const ENDS = byteClass("\0- /?#\"'`<>\\,")

/** The password of `scheme://user:password@host`, up to the last `@` of the authority. */
export class UrlRecogniser implements Recogniser {
  readonly name = "url_password"
  readonly ended = true
  holdFrom = 0
  cursor = 0
  from = 0
  to = 0
  #plain = 0
  #plainToAt = 0
  #inPassword = false
  #hasAt = false

  /** An over-long user is no secret; an over-long password is. */
  get overflow(): "mask" | "fail" {
    return this.#inPassword ? "mask" : "fail"
  }

  /** Starts after `://`. */
  begin(cursor: number): void {
    this.cursor = cursor
    this.holdFrom = cursor
    this.#inPassword = false
    this.#hasAt = false
    this.#plain = 0
    this.#plainToAt = 0
  }

  advance(window: Window, stop: number): Verdict {
    const { bytes, base } = window
    while (this.cursor < stop) {
      const byte = bytes[this.cursor - base] ?? 0
      if (ENDS[byte] === 1) return this.#ended()
      if (this.#inPassword) this.#readPassword(byte)
      else if (byte === AT) return "fail"
      else if (byte === COLON) this.#enterPassword()
      this.cursor++
    }
    return "more"
  }

  opaque(to: number): Verdict {
    this.cursor = to
    return "more"
  }

  finish(): Verdict {
    return this.#ended()
  }

  #enterPassword(): void {
    this.#inPassword = true
    this.from = this.cursor + 1
  }

  #readPassword(byte: number): void {
    if (byte === AT) {
      this.#hasAt = true
      this.to = this.cursor
      this.#plainToAt = this.#plain
    }
    this.#plain++
  }

  /** A password that is nothing but a mask stays. */
  #ended(): Verdict {
    return this.#hasAt && this.#plainToAt > 0 ? "mask" : "fail"
  }
}
