import { byteClass } from "./byte-class.ts"
import type { Recogniser, Verdict } from "./recogniser.ts"
import type { Window } from "./window.ts"

const BASE64 = byteClass("A-Za-z0-9+/=")
/** What shows that a short first word is the name of a header line (`Proc-Type:`). */
const HEADER_NAME_GOES_ON = byteClass(":-")
const END_LABEL = byteClass("A-Z0-9 ")
const END_MARK = Array.from("-----END ", (char) => char.charCodeAt(0))
const MAX_END_LABEL = 64
const END_DASHES = 5
/** A piece of base64 this long is key material even where blanks instead of line ends follow it. */
const LONG_PIECE = 32
/** A piece before a character that PEM does not have is key material from this length on. */
const CUT_PIECE = 16

type Phase = "space" | "escape" | "piece" | "afterPiece" | "header" | "endMark" | "endLabel" | "endDashes"

/**
 * What follows the first line of a PEM private key and belongs to it: lines of base64, header lines, line ends (real
 * or escaped), the END line; of an unended block only what looks like PEM. It leaves text out piece by piece.
 */
export class PemBodyRecogniser implements Recogniser {
  readonly name = "private_key"
  ended = false
  holdFrom = 0
  cursor = 0
  from = 0
  to = 0
  #phase: Phase = "space"
  #piece = 0
  #seenBase64 = false
  #progress = 0
  #opened = false

  /** Blanks alone are never key material. */
  get overflow(): "release" | "fail" {
    return this.#phase === "space" ? "fail" : "release"
  }

  /** Counts what is held as key material, so that no more is held. */
  release(): Verdict {
    return this.#cover()
  }

  /** Starts after the dashes that end the first line, which stands at `from`. */
  begin(from: number, cursor: number): void {
    this.cursor = cursor
    this.holdFrom = from
    this.ended = false
    this.#opened = false
    this.#phase = "space"
    this.#piece = 0
    this.#seenBase64 = false
  }

  advance(window: Window, stop: number): Verdict {
    const { bytes, base } = window
    while (this.cursor < stop) {
      const verdict = this.#read(bytes[this.cursor - base] ?? 0)
      if (verdict !== "more") return verdict
      this.cursor++
    }
    return "more"
  }

  opaque(to: number): Verdict {
    if (this.#phase === "piece") return this.#endPiece("space")
    if (this.#phase !== "header") return "fail"
    this.cursor = to
    return "more"
  }

  finish(): Verdict {
    return this.#phase === "space" ? "fail" : this.#keep("space")
  }

  #read(byte: number): Verdict {
    switch (this.#phase) {
      case "space":
      case "escape":
        return this.#readSpace(byte)
      case "piece":
        return this.#readPiece(byte)
      case "afterPiece":
        return this.#readAfterPiece(byte)
      case "header":
        return byte === 0x0a ? this.#keep("space") : "more"
      case "endMark":
        return this.#readEndMark(byte)
      case "endLabel":
        return this.#readEndLabel(byte)
      case "endDashes":
        return this.#readEndDashes(byte)
    }
  }

  /** Between pieces: nothing is known to belong to the key until a piece does. */
  #readSpace(byte: number): Verdict {
    if (this.#phase === "escape" && (byte === 0x6e || byte === 0x72 || byte === 0x74)) return this.#goTo("space")
    if (byte === 0x5c) return this.#goTo("escape")
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) return this.#goTo("space")
    if (byte === END_MARK[0]) return this.#startEndMark()
    if (BASE64[byte] !== 1) return "fail"
    this.#piece = 1
    return this.#goTo("piece")
  }

  #readPiece(byte: number): Verdict {
    if (BASE64[byte] === 1) {
      this.#piece++
      return "more"
    }
    if (byte === 0x0a || byte === 0x0d || byte === 0x5c) return this.#keep("space")
    if (byte === 0x20 || byte === 0x09)
      return this.#piece >= LONG_PIECE ? this.#keep("space") : this.#goTo("afterPiece")
    if (!this.#seenBase64 && this.#piece < CUT_PIECE && HEADER_NAME_GOES_ON[byte] === 1) return this.#goTo("header")
    if (byte !== END_MARK[0]) return this.#endPiece("space")
    return this.#piece >= CUT_PIECE ? this.#endPiece("endMark") : this.#startEndMark()
  }

  /** A piece ends where PEM cannot go on: a long one is key material, a short one is text. */
  #endPiece(phase: Phase): Verdict {
    return this.#piece >= CUT_PIECE ? this.#keep(phase) : "fail"
  }

  /** The mark's first byte is read; what is held before it counts only if the whole mark follows. */
  #startEndMark(): Verdict {
    this.#progress = 1
    return this.#goTo("endMark")
  }

  /** After a short piece and a blank: the line must end here, or the END line follow. */
  #readAfterPiece(byte: number): Verdict {
    if (byte === 0x20 || byte === 0x09) return "more"
    if (byte === 0x0a || byte === 0x0d) return this.#keep("space")
    return byte === END_MARK[0] ? this.#startEndMark() : "fail"
  }

  #readEndMark(byte: number): Verdict {
    if (byte !== END_MARK[this.#progress]) return "fail"
    this.#progress++
    if (this.#progress < END_MARK.length) return "more"
    this.#progress = 0
    return this.#goTo("endLabel")
  }

  #readEndLabel(byte: number): Verdict {
    if (byte === END_MARK[0]) {
      this.#progress = 1
      return this.#goTo("endDashes")
    }
    return END_LABEL[byte] === 1 && ++this.#progress <= MAX_END_LABEL ? "more" : "fail"
  }

  #readEndDashes(byte: number): Verdict {
    if (byte !== END_MARK[0]) return "fail"
    this.#progress++
    if (this.#progress < END_DASHES) return "more"
    this.cursor++
    this.ended = true
    return this.#cover()
  }

  #goTo(phase: Phase): Verdict {
    this.#phase = phase
    return "more"
  }

  /** What was read up to here belongs to the key; `cursor` is read next, in `phase`. */
  #keep(phase: Phase): Verdict {
    if (phase !== "endMark" && this.#phase !== "header") this.#seenBase64 = true
    this.#progress = 0
    this.#phase = phase
    return this.#cover()
  }

  #cover(): Verdict {
    this.from = this.holdFrom
    this.to = this.cursor
    this.holdFrom = this.cursor
    const first = !this.#opened
    this.#opened = true
    return first ? "mask" : "drop"
  }
}
