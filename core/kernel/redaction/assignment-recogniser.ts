import type { ByteClass } from "./byte-class.ts"
import { BLANK, byteClass, complement, startsCharacter } from "./byte-class.ts"
import { isQuote } from "./look-back.ts"
import type { Recogniser, Verdict } from "./recogniser.ts"
import type { Window } from "./window.ts"

const MIN_CHARS = 8
const BACKSLASH = 0x5c
const DOLLAR = 0x24
const LESS = 0x3c
const GREATER = 0x3e
const STAR = 0x2a
const PLACEHOLDER_STARS = 3
const DASH = 0x2d
const LINE_FEED = 0x0a
/** As many dashes as a PEM block begins with: such a value is left to the PEM shape. */
const PEM_DASHES = 5

const UNQUOTED: ByteClass = complement(byteClass("\0- \"'`,;&|(){}[]<>.\\\x7f"))
/** What shows, directly after an unquoted value, that it is code. */
const CODE = byteClass("([.<")

const DIGIT = byteClass("0-9")
const LETTER = byteClass("A-Za-z")

/** The value of `name=value` and `name: value` where the name says that it is a secret (kernel.md §12). */
export class AssignmentRecogniser implements Recogniser {
  name = ""
  holdFrom = 0
  cursor = 0
  from = 0
  to = 0
  readonly ended = true
  #phase: "gap" | "escapes" | "quoted" | "unquoted" = "gap"
  #quote = 0
  /** Backslashes before the opening quote; before the closing one stand as many. */
  #escapes = 0
  #backslashes = 0
  #chars = 0
  #letters = 0
  #digits = 0
  #first = 0
  #leadingStars = 0
  #last = 0
  #dashes = 0
  #sawPemDashes = false
  /** No unquoted value before this position counts: one that ends there did not, and they all end there. */
  #deadUntil = 0

  /** A value is masked as it stands; backslashes without a quote are none. */
  get overflow(): "mask" | "fail" {
    return this.#phase === "escapes" ? "fail" : "mask"
  }

  /** Starts after the sign. */
  begin(name: string, cursor: number): void {
    this.name = name
    this.cursor = cursor
    this.holdFrom = cursor
    this.#phase = "gap"
    this.#escapes = 0
  }

  advance(window: Window, stop: number): Verdict {
    const { bytes, base } = window
    while (this.cursor < stop) {
      const verdict = this.#read(bytes[this.cursor - base] ?? 0)
      if (verdict !== "more") return verdict
      this.cursor++
    }
    if (this.#phase === "gap") this.holdFrom = this.cursor
    return "more"
  }

  opaque(to: number): Verdict {
    if (this.#phase !== "quoted") return this.#endUnquoted(true)
    if (this.#chars === 0) this.#first = -1
    this.#backslashes = 0
    this.#dashes = 0
    this.#last = -1
    this.cursor = to
    return "more"
  }

  finish(): Verdict {
    if (this.#phase === "quoted") return this.#endQuoted(this.cursor)
    return this.#phase === "unquoted" ? this.#endUnquoted(false) : "fail"
  }

  #read(byte: number): Verdict {
    switch (this.#phase) {
      case "gap":
        return BLANK[byte] === 1 ? "more" : this.#open(byte)
      case "escapes":
        return this.#openEscaped(byte)
      case "quoted":
        return this.#readQuoted(byte)
      case "unquoted":
        return this.#readUnquoted(byte)
    }
  }

  #open(byte: number): Verdict {
    this.holdFrom = this.cursor
    if (byte === BACKSLASH) {
      this.#phase = "escapes"
      this.#escapes = 1
      return "more"
    }
    if (isQuote(byte)) return this.#openQuote(byte)
    if (UNQUOTED[byte] !== 1 || this.cursor < this.#deadUntil) return "fail"
    this.#phase = "unquoted"
    this.#startValue(this.cursor)
    return this.#readUnquoted(byte)
  }

  #openEscaped(byte: number): Verdict {
    if (byte === BACKSLASH) {
      this.#escapes++
      return "more"
    }
    return isQuote(byte) ? this.#openQuote(byte) : "fail"
  }

  #openQuote(byte: number): Verdict {
    this.#phase = "quoted"
    this.#quote = byte
    this.#backslashes = 0
    this.#startValue(this.cursor + 1)
    return "more"
  }

  #startValue(from: number): void {
    this.from = from
    this.#chars = 0
    this.#letters = 0
    this.#digits = 0
    this.#first = 0
    this.#last = 0
    this.#leadingStars = 0
    this.#dashes = 0
    this.#sawPemDashes = false
  }

  #readQuoted(byte: number): Verdict {
    if (byte === LINE_FEED) return this.#sawPemDashes ? "fail" : this.#endQuoted(this.cursor)
    if (byte === this.#quote && !this.#isInnerQuote()) {
      return this.#endQuoted(this.cursor - Math.min(this.#backslashes, this.#escapes))
    }
    this.#backslashes = byte === BACKSLASH ? this.#backslashes + 1 : 0
    this.#count(byte)
    return this.#isReference() ? "fail" : "more"
  }

  /** `$…` and `***` stand for a secret; they are dismissed at once. */
  #isReference(): boolean {
    return this.#first === DOLLAR || this.#leadingStars >= PLACEHOLDER_STARS
  }

  #isInnerQuote(): boolean {
    return this.#backslashes > this.#escapes && this.#backslashes % 2 === 1
  }

  #readUnquoted(byte: number): Verdict {
    if (UNQUOTED[byte] !== 1) return this.#endUnquoted(CODE[byte] === 1)
    this.#count(byte)
    if (this.#isReference()) return "fail"
    return this.#sawPemDashes ? this.#endUnquoted(true) : "more"
  }

  #count(byte: number): void {
    if (startsCharacter(byte)) this.#chars++
    this.#letters += LETTER[byte] ?? 0
    this.#digits += DIGIT[byte] ?? 0
    if (this.#chars === 1 && this.#first === 0) this.#first = byte
    if (byte === STAR && this.#leadingStars === this.#chars - 1) this.#leadingStars++
    this.#dashes = byte === DASH ? this.#dashes + 1 : 0
    if (this.#dashes === PEM_DASHES) this.#sawPemDashes = true
    if (byte !== BACKSLASH) this.#last = byte
  }

  #endUnquoted(isCode: boolean): Verdict {
    this.to = this.cursor
    if (this.#phase !== "unquoted") return "fail"
    if (!isCode && this.#chars >= MIN_CHARS && this.#letters > 0 && this.#digits > 0) return "mask"
    this.#deadUntil = this.cursor
    return "fail"
  }

  /** The value ends before `to`; between `to` and `cursor` stand only the closing quote's backslashes. */
  #endQuoted(to: number): Verdict {
    this.to = to
    const chars = this.#chars - (this.cursor - to)
    const isPlaceholder = this.#first === LESS && this.#last === GREATER
    return chars < MIN_CHARS || this.#digits === chars || isPlaceholder ? "fail" : "mask"
  }
}
