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

/** Bytes that are not text, standing before the visible byte at `at`. */
interface Attachment {
  readonly at: number
  readonly bytes: Uint8Array
}

/** Most bytes of control sequences kept while a possible match is open (kernel.md §12); what is beyond is left out. */
export const MAX_ATTACHED_BYTES = 16_384

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
  readonly #window = new Window()
  readonly #literals: LiteralScanner
  readonly #shapes: ShapeScanner
  #attachments: Attachment[] = []
  #attachedBytes = 0
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

  /** Attaches bytes that are not text behind what was appended so far. The caller does not change them afterwards. */
  attach(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#attachments.push({ at: this.#window.end, bytes })
    this.#attachedBytes += bytes.length
  }

  /** How many more bytes may be attached here; depends on the stream alone, not on how it was cut. */
  room(): number {
    if (this.#attachedBytes >= MAX_ATTACHED_BYTES) this.advance(false)
    return MAX_ATTACHED_BYTES - this.#attachedBytes
  }

  /** Decides what can be decided, without giving it out yet. */
  advance(final: boolean): void {
    const limit = this.#literals.scan(this.#window, final)
    this.#shapes.scan(this.#window, { limit, final })
    const safe = final ? limit : Math.min(limit, this.#shapes.holdFrom)
    if (this.#literals.spans.length === 0 && this.#shapes.spans.length === 0) this.#passPlain(safe)
    else this.#passSpans(safe)
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

  #mask(span: { readonly from: number; readonly to: number; readonly name?: string }): void {
    this.#passPlain(span.from)
    this.#dropAttachments(span.from, span.to)
    this.#maskedTo = span.to
    this.#window.released = span.to
    if (span.name === undefined) return
    this.count++
    this.names.add(span.name)
    this.#out.push(encoder.encode(maskOf(span.name)))
  }

  /** Gives out visible bytes up to `to` with what is attached before, between and directly behind them. */
  #passPlain(to: number): void {
    const window = this.#window
    let from = window.released
    if (this.#attachments.length > 0) {
      let used = 0
      for (const { at, bytes } of this.#attachments) {
        if (at > to) break
        if (at > from) this.#out.push(window.view(from, at))
        from = Math.max(from, at)
        this.#out.push(bytes)
        this.#attachedBytes -= bytes.length
        used++
      }
      this.#attachments.splice(0, used)
    }
    if (to > from) this.#out.push(window.view(from, to))
    window.released = Math.max(window.released, to)
  }

  #dropAttachments(after: number, before: number): void {
    this.#attachments = this.#attachments.filter(({ at, bytes }) => {
      const inside = at > after && at < before
      if (inside) this.#attachedBytes -= bytes.length
      return !inside
    })
  }
}
