import type { LiteralAutomaton } from "./literal-automaton.ts"
import { beginningOf } from "./literal-automaton.ts"
import { MASK_NAME_CHARS, MASK_PREFIX } from "./mask.ts"
import type { Window } from "./window.ts"

/** A stretch that shapes may not look into: a literal to mask, or (without `name`) a mask that stands in the text already. */
export interface OpaqueSpan {
  readonly from: number
  readonly to: number
  readonly name?: string
}

interface Found {
  readonly from: number
  readonly to: number
  readonly name: string
}

const PREFIX = Array.from(MASK_PREFIX, (char) => char.charCodeAt(0))
const PREFIX_LENGTH = PREFIX.length
const OPEN = MASK_PREFIX.charCodeAt(0)
const CLOSE = 0x5d

/** Whether a form or a mask may begin at `at`, as far as its first three bytes tell. */
function canBegin(beginnings: Uint8Array, bytes: Uint8Array, at: number): boolean {
  const third = bytes[at + 2] ?? 0
  return (
    beginnings[beginningOf(bytes[at] ?? 0, bytes[at + 1] ?? 0, third)] !== 0 ||
    (bytes[at] === OPEN && third === PREFIX[2])
  )
}

/** The next position at which a mask may begin, or `last`, after which the bytes that would tell are missing. */
function skipToMask(bytes: Uint8Array, from: number, last: number): number {
  if (from >= last) return from
  for (let at = from; ; at++) {
    at = bytes.indexOf(OPEN, at)
    if (at < 0 || at >= last) return last
    if (bytes[at + 2] === PREFIX[2]) return at
  }
}

function isNameByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f
  )
}

/**
 * Marks registered literals in the visible bytes of one stream, and masks of known names as untouchable, so that a
 * second redaction finds nothing inside them. Overlapping occurrences become one span under the longest one's name.
 */
export class LiteralScanner {
  /** Found so far and not yet released, in order, never overlapping. */
  readonly spans: OpaqueSpan[] = []
  readonly #automaton: LiteralAutomaton
  readonly #knownNames: ReadonlySet<string>
  #position = 0
  #state = 0
  /** Bytes of a possible mask seen so far; 0 when none is under way. */
  #maskBytes = 0
  #maskFrom = 0
  /** Occurrences that end inside a possible mask: they count only if it turns out to be none. */
  #waiting: Found[] = []

  constructor(automaton: LiteralAutomaton, knownNames: ReadonlySet<string>) {
    this.#automaton = automaton
    this.#knownNames = knownNames
  }

  /** Reads all bytes of `window` not yet read; gives the position up to which the spans are final. */
  scan(window: Window, final: boolean): number {
    const { bytes, base } = window
    const end = window.end - base
    let at = this.#position - base
    while (at < end) {
      if (this.#maskBytes === 0) at = this.#skip(bytes, at, end)
      if (at >= end) break
      this.#read(window, base + at)
      at++
    }
    this.#position = window.end
    if (!final) return this.#limit()
    this.#failMask()
    return window.end
  }

  /** Passes over bytes at which nothing can begin; three bytes tell. A beginning of one byte is looked at again. */
  #skip(bytes: Uint8Array, from: number, end: number): number {
    const { beginnings, depth, pairs } = this.#automaton
    const last = end - 2
    let at = from
    if (this.#state !== 0) {
      if (depth[this.#state] !== 1 || at > end - 2) return at
      if (canBegin(beginnings, bytes, at - 1)) return at
      this.#state = 0
    }
    if (this.#automaton.isEmpty) return skipToMask(bytes, at, last)
    if (pairs !== undefined) {
      for (; at < last - 2; at += 3) {
        if (pairs[((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)] === 0) continue
        if (canBegin(beginnings, bytes, at)) return at
        if (canBegin(beginnings, bytes, at + 1)) return at + 1
        if (canBegin(beginnings, bytes, at + 2)) return at + 2
      }
    }
    while (at < last && !canBegin(beginnings, bytes, at)) at++
    return at
  }

  #read(window: Window, position: number): void {
    const byte = window.bytes[position - window.base] ?? 0
    this.#state = this.#automaton.step(this.#state, byte)
    if (this.#readMask(window, position, byte)) return
    const length = this.#automaton.matchLength[this.#state] ?? 0
    if (length === 0) return
    const found = { from: position + 1 - length, to: position + 1, name: this.#automaton.matchName(this.#state) }
    if (this.#maskBytes > 0) this.#waiting.push(found)
    else this.#record(found)
  }

  /** Follows a possible mask by one byte; true when the byte completes one. */
  #readMask(window: Window, position: number, byte: number): boolean {
    if (this.#maskBytes === 0) {
      if (byte === OPEN) this.#openMask(position)
      return false
    }
    const nameLength = this.#maskBytes - PREFIX_LENGTH
    const goesOn = nameLength < 0 ? byte === PREFIX[this.#maskBytes] : nameLength < MASK_NAME_CHARS && isNameByte(byte)
    if (goesOn) {
      this.#maskBytes++
      return false
    }
    if (nameLength > 0 && byte === CLOSE && this.#isKnown(window, position, nameLength)) {
      this.spans.push({ from: this.#maskFrom, to: position + 1 })
      this.#waiting = []
      this.#maskBytes = 0
      this.#state = 0
      return true
    }
    this.#failMask()
    if (byte === OPEN) this.#openMask(position)
    return false
  }

  #openMask(position: number): void {
    this.#maskBytes = 1
    this.#maskFrom = position
  }

  #isKnown(window: Window, close: number, nameLength: number): boolean {
    return this.#knownNames.has(window.ascii(close - nameLength, close))
  }

  #failMask(): void {
    this.#maskBytes = 0
    if (this.#waiting.length === 0) return
    for (const found of this.#waiting) this.#record(found)
    this.#waiting = []
  }

  #record(found: Found): void {
    let { from, name } = found
    let longest = found.to - found.from
    for (let last = this.spans.at(-1); last?.name !== undefined && last.to > from; last = this.spans.at(-1)) {
      if (last.to - last.from > longest) {
        longest = last.to - last.from
        name = last.name
      }
      from = Math.min(from, last.from)
      this.spans.pop()
    }
    this.spans.push({ from, to: found.to, name })
  }

  #limit(): number {
    let limit = this.#position - (this.#automaton.depth[this.#state] ?? 0)
    if (this.#maskBytes > 0) limit = Math.min(limit, this.#maskFrom)
    for (const { from } of this.#waiting) limit = Math.min(limit, from)
    for (let index = this.spans.length - 1; index >= 0; index--) {
      const span = this.spans[index]
      if (span === undefined || span.to <= limit) break
      limit = Math.min(limit, span.from)
    }
    return limit
  }
}
