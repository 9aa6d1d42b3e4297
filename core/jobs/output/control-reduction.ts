import { CONTROL, type ControlState, nextControl } from "../../kernel/redaction/control-sequences.ts"

/** A line longer than this (UTF-16 units) is given out in pieces; a later `\r` then changes only the last one. */
export const MAX_LINE_UNITS = 1_048_576

const BACKSPACE = 0x08
const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const FIRST_PLAIN = 0x20
const FIRST_C1 = 0x7f
const LAST_C1 = 0x9f

function isPlain(unit: number): boolean {
  if (unit < FIRST_PLAIN) return unit === TAB
  return unit <= FIRST_C1 || unit > LAST_C1
}

/**
 * Makes terminal output readable (shells.md §4.3): control sequences go, `\r\n` is `\n`, of a line with other `\r`
 * only what follows the last one that text follows, `\b` takes the character before it, NUL shows as U+FFFD. The
 * result does not depend on how the text is cut into chunks.
 */
export class ControlReducer {
  #line = ""
  #control: ControlState = CONTROL.visible
  /** A `\r` came and nothing visible since: the next visible character starts the line anew. */
  #returned = false

  /** Takes text in; gives whole lines (and pieces of very long ones). */
  push(text: string): string {
    let out = ""
    let at = 0
    while (at < text.length) {
      if (this.#control > CONTROL.consumed) {
        at = this.#passSequence(text, at)
        continue
      }
      const from = at
      while (at < text.length && isPlain(text.charCodeAt(at))) at++
      if (at > from) this.#append(text.slice(from, at))
      if (this.#line.length > MAX_LINE_UNITS) out += this.#takeLongLine()
      if (at === text.length) break
      out += this.#readControl(text.charCodeAt(at))
      at++
    }
    return out
  }

  /** Ends the text; gives the last line, if it has no end. */
  end(): string {
    const line = this.#line
    this.#line = ""
    return line
  }

  /** Passes over the sequence under way; gives the position after it, or of the unit that broke it off. */
  #passSequence(text: string, from: number): number {
    let state = this.#control
    let at = from
    while (at < text.length && state > CONTROL.consumed) {
      state = nextControl(state, text.charCodeAt(at))
      if (state !== CONTROL.visible) at++
    }
    this.#control = state
    return at
  }

  #append(text: string): void {
    if (this.#returned) this.#line = ""
    this.#returned = false
    this.#line += text
  }

  #readControl(unit: number): string {
    this.#control = nextControl(this.#control, unit)
    if (this.#control !== CONTROL.visible) return ""
    switch (unit) {
      case LINE_FEED:
        return this.#endLine()
      case CARRIAGE_RETURN:
        this.#returned = true
        return ""
      case BACKSPACE:
        this.#takeBack()
        return ""
      case 0:
        this.#append("\ufffd")
        return ""
      default:
        return ""
    }
  }

  #endLine(): string {
    const line = `${this.#line}\n`
    this.#line = ""
    this.#returned = false
    return line
  }

  #takeBack(): void {
    if (this.#returned) return
    const last = this.#line.length - 1
    const isPair =
      last > 0 && /[\udc00-\udfff]/.test(this.#line.charAt(last)) && /[\ud800-\udbff]/.test(this.#line.charAt(last - 1))
    this.#line = this.#line.slice(0, Math.max(0, isPair ? last - 1 : last))
  }

  #takeLongLine(): string {
    const cut = Math.floor(this.#line.length / MAX_LINE_UNITS) * MAX_LINE_UNITS
    const out = this.#line.slice(0, cut)
    this.#line = this.#line.slice(cut)
    return out
  }
}
