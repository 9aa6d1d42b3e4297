import { Attachments } from "./attachments.ts"
import type { LiteralAutomaton } from "./literal-automaton.ts"
import { LiteralScanner } from "./literal-scanner.ts"
import { maskOf } from "./mask.ts"
import { ShapeScanner } from "./shape-scanner.ts"
import { Window } from "./window.ts"

/** What every stream of one redactor shares. */
export interface EngineParts {
  readonly automaton: LiteralAutomaton
  /** NAMEs whose masks are recognised as such in the text. */
  readonly knownNames: ReadonlySet<string>
}

const encoder = new TextEncoder()
const NOTHING = new Uint8Array(0)

/**
 * Masks literals, then shapes, in the visible bytes of one stream. Bytes attached between visible ones travel along;
 * those inside a masked span vanish with it.
 */
export class SpanEngine {
  /** Masks put in so far. */
  count = 0
  /** NAMEs of these masks. */
  readonly names = new Set<string>()
  /** Told of every span that is masked or swallowed by a mask, in positions of the visible bytes, first to last. */
  onSpan: ((span: { readonly from: number; readonly to: number; readonly name?: string }) => void) | undefined
  readonly #window = new Window()
  readonly #literals: LiteralScanner
  readonly #shapes: ShapeScanner
  readonly #attachments = new Attachments()
  /** Masked up to here, possibly beyond what has been given out. */
  #maskedTo = 0
  #out: Uint8Array[] = []

  constructor(parts: EngineParts) {
    this.#literals = new LiteralScanner(parts.automaton, parts.knownNames)
    this.#shapes = new ShapeScanner(this.#literals.spans)
  }

  /** Appends visible bytes `source[from..to)`. */
  append(source: Uint8Array, from: number, to: number): void {
    this.#window.append(source, from, to)
  }

  /** Appends a short chunk up to its first byte that may begin a control sequence; gives how many bytes that were. */
  appendShort(source: Uint8Array): number {
    return this.#window.appendShort(source)
  }

  /** Attaches bytes that are not text behind what was appended so far; `broken` if the next visible byte breaks them off. */
  attach(bytes: Uint8Array, broken = false): void {
    this.#attachments.add(this.#window.end, bytes, broken)
  }

  /** How many more bytes may be attached here; depends on the stream alone, not on how it was cut. */
  room(): number {
    if (this.#attachments.room <= 0) this.advance(false)
    return this.#attachments.room
  }

  /** Decides what can be decided, without giving it out yet. */
  advance(final: boolean): void {
    const limit = this.#literals.scan(this.#window, final)
    this.#shapes.scan(this.#window, { limit, final })
    const safe = final ? limit : Math.min(limit, this.#shapes.holdFrom)
    if (this.#literals.spans.length === 0 && this.#shapes.spans.length === 0) this.#passPlain(safe)
    else this.#passSpans(safe)
    if (final) while (this.#attachments.first !== undefined) this.#out.push(this.#attachments.takeFirst())
    this.#window.released = Math.max(this.#window.released, safe)
  }

  /** Everything decided and not yet given out; may be a view of memory that is written no more. */
  take(): Uint8Array {
    const pieces = this.#out
    if (pieces.length <= 1) return pieces.pop() ?? NOTHING
    this.#out = []
    const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
    let at = 0
    for (const piece of pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    return whole
  }

  #passSpans(safe: number): void {
    const literals = this.#literals.spans
    const shapes = this.#shapes.spans
    let l = 0
    let s = 0
    for (;;) {
      const literal = literals[l]
      const shape = shapes[s]
      const shapeFirst = shape !== undefined && (literal === undefined || shape.from <= literal.from)
      const span = shapeFirst ? shape : literal
      if (span === undefined || span.from >= safe) break
      if (shapeFirst) s++
      else l++
      if (shapeFirst || (span.name !== undefined && span.from >= this.#maskedTo)) this.#mask(span)
    }
    literals.splice(0, l)
    shapes.splice(0, s)
    this.#passPlain(safe)
  }

  /** Gives out visible bytes up to `to`; what is attached there waits if a mask may follow a broken sequence. */
  #passPlain(to: number): void {
    this.#pass(to, this.#attachments.hasBroken(to) ? to - 1 : to)
  }

  #mask(span: { readonly from: number; readonly to: number; readonly name?: string }): void {
    this.#attachments.dropBroken(span.from)
    this.#pass(span.from, span.from)
    while ((this.#attachments.first?.at ?? span.to) < span.to) this.#attachments.takeFirst()
    this.#maskedTo = span.to
    this.#window.released = span.to
    this.onSpan?.(span)
    if (span.name === undefined) return
    this.count++
    this.names.add(span.name)
    this.#out.push(encoder.encode(maskOf(span.name)))
  }

  /** Gives out visible bytes up to `to` and what is attached up to `last`. */
  #pass(to: number, last: number): void {
    const window = this.#window
    let from = window.released
    for (let next = this.#attachments.first; next !== undefined && next.at <= last; next = this.#attachments.first) {
      if (next.at > from) this.#out.push(window.view(from, next.at))
      from = Math.max(from, next.at)
      this.#out.push(this.#attachments.takeFirst())
    }
    if (to > from) this.#out.push(window.view(from, to))
    window.released = Math.max(window.released, to)
  }
}
