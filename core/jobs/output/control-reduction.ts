import { CONTROL, type ControlState, nextControl } from "../../kernel/redaction/control-sequences.ts"
import { reduceSimpleLines } from "./simple-lines.ts"

/** A line longer than this (UTF-16 units) is given out in pieces; a later `\r` then changes only the last one. */
export const MAX_LINE_UNITS = 262_144

/** Less is read through at once. */
const WORTH_UNITS = 256

const BACKSPACE = 0x08
const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const FIRST_PLAIN = 0x20
/** Of the bytes that end a CSI. */
const FIRST_FINAL = 0x40
const FIRST_C1 = 0x7f
const LAST_C1 = 0x9f

/** A run of plain text from `from` on: where it ends, and where the last line in it does (`from` where none does). */
function plainRun(text: string, from: number): { readonly end: number; readonly lineEnd: number } {
  let end = from
  let lineEnd = from
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end)
    if (unit >= FIRST_PLAIN ? unit > FIRST_C1 && unit <= LAST_C1 : unit !== TAB && unit !== LINE_FEED) break
    if (unit === LINE_FEED) lineEnd = end + 1
  }
  return { end, lineEnd }
}

const C1_LEAD = 0xc2

/** Whether reduction may change the text of these bytes of UTF-8. */
export function hasControls(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < FIRST_PLAIN ? byte !== TAB && byte !== LINE_FEED : byte === C1_LEAD) return true
  }
  return false
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
    const from = this.isResting ? 0 : text.indexOf("\n") + 1
    const to = text.lastIndexOf("\n") + 1
    if (to - from < WORTH_UNITS) return this.#pushAny(text)
    const head = this.#pushAny(text.slice(0, from))
    // A sequence can go on over the end of a line.
    const lines = this.isResting ? reduceSimpleLines(text.slice(from, to), MAX_LINE_UNITS) : undefined
    return head + (lines === undefined ? this.#pushAny(text.slice(from)) : lines + this.#pushAny(text.slice(to)))
  }

  #pushAny(text: string): string {
    let out = ""
    let at = 0
    while (at < text.length) {
      if (this.#control > CONTROL.consumed) {
        at = this.#passSequence(text, at)
        continue
      }
      const { end, lineEnd } = plainRun(text, at)
      if (lineEnd > at) out += this.#takeLines(text, at, lineEnd)
      if (end > lineEnd) this.#append(text.slice(lineEnd, end))
      at = end
      if (this.#line.length > MAX_LINE_UNITS) out += this.#takeLongLine()
      if (at === text.length) break
      if (text.charCodeAt(at) === 0) {
        at = this.#passNuls(text, at)
        continue
      }
      this.#readControl(text.charCodeAt(at))
      at++
    }
    return out
  }

  /** A line begins next, and no control sequence is under way. */
  get isResting(): boolean {
    return this.#line === "" && !this.#returned && this.#control <= CONTROL.consumed
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
      const unit = text.charCodeAt(at)
      // Most of what a sequence holds: the numbers of a CSI, which change nothing.
      if (state !== CONTROL.csi || unit < FIRST_PLAIN || unit >= FIRST_FINAL) state = nextControl(state, unit)
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

  /** Gives out a run of plain lines, the first of which may have begun before. */
  #takeLines(text: string, from: number, to: number): string {
    if (this.#returned && text.charCodeAt(from) !== LINE_FEED) this.#line = ""
    const lines = this.#line + text.slice(from, to)
    this.#line = ""
    this.#returned = false
    this.#control = CONTROL.visible
    return lines
  }

  #passNuls(text: string, from: number): number {
    let at = from
    while (at < text.length && text.charCodeAt(at) === 0) at++
    this.#control = CONTROL.visible
    this.#append("\ufffd".repeat(at - from))
    return at
  }

  #readControl(unit: number): void {
    this.#control = nextControl(this.#control, unit)
    if (this.#control !== CONTROL.visible) return
    if (unit === CARRIAGE_RETURN) this.#returned = true
    else if (unit === BACKSPACE) this.#takeBack()
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
