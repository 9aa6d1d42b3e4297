import { CONTROL, type ControlState, nextControl, TEXT_UNIT } from "./control-sequences.ts"
import { type EngineParts, SpanEngine } from "./span-engine.ts"
import { C1_LEAD, ESC } from "./window.ts"

/** Bytes taken in at once before what is decided is passed on. */
const PIECE_BYTES = 65_536
/** Up to here one loop over the bytes beats two calls of built-ins. */
const SHORT_BYTES = 256
const LEAD = Uint8Array.of(C1_LEAD)

type Kind = "text" | "control" | "payload"

/**
 * The byte form of the redactor (shells.md §4.3): control sequences between the characters of a match are looked
 * through, and the whole raw span is replaced. The payload of a string sequence (a title, a link) is masked as a text
 * of its own.
 */
export class ByteStream {
  readonly #parts: EngineParts
  readonly #text: SpanEngine
  #payload: SpanEngine | undefined
  #control: ControlState = CONTROL.visible
  /** A byte 0xC2 came last: with the next one it may be a C1 control. */
  #pendingLead = false
  /** What has been read of the sequence under way. */
  #sequence: number[] = []
  /** The sequence under way came when there was no room left for it. */
  #dropping = false
  #payloadMasks = 0
  readonly #payloadNames = new Set<string>()

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#text = new SpanEngine(parts)
  }

  /** Masks put in so far. */
  get masked(): number {
    return this.#text.count + this.#payloadMasks + (this.#payload?.count ?? 0)
  }

  /** NAMEs of these masks. */
  get names(): string[] {
    return [...new Set([...this.#text.names, ...this.#payloadNames, ...(this.#payload?.names ?? [])])]
  }

  /** Takes a chunk in; gives what can no longer become part of a match. */
  push(chunk: Uint8Array): Uint8Array {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = chunk.length <= PIECE_BYTES ? chunk : chunk.subarray(from, from + PIECE_BYTES)
      const plain = this.#appendPlain(piece)
      if (plain < piece.length) this.#split(piece, plain)
      this.#text.advance(false)
    }
    return this.#text.take()
  }

  /** Ends the stream; gives the rest. */
  end(): Uint8Array {
    if (this.#pendingLead) this.#unit(LEAD, { from: 0, to: 1 }, TEXT_UNIT)
    this.#pendingLead = false
    this.#endPayload()
    this.#attachSequence(true)
    this.#text.advance(true)
    return this.#text.take()
  }

  /** Takes the part of a piece that certainly is text; gives its length. */
  #appendPlain(piece: Uint8Array): number {
    if (this.#control > CONTROL.consumed || this.#pendingLead) return 0
    if (piece.length <= SHORT_BYTES) return this.#text.appendShort(piece)
    if (piece.includes(ESC) || piece.includes(C1_LEAD)) return 0
    this.#text.append(piece, 0, piece.length)
    return piece.length
  }

  #split(piece: Uint8Array, from: number): void {
    let textFrom = -1
    const endText = (to: number) => {
      if (textFrom >= 0) this.#text.append(piece, textFrom, to)
      textFrom = -1
    }
    for (let at = from; at < piece.length; at++) {
      const byte = piece[at] ?? 0
      const inGround = this.#control <= CONTROL.consumed && !this.#pendingLead
      if (inGround && byte !== ESC && byte !== C1_LEAD) {
        if (textFrom < 0) textFrom = at
        continue
      }
      endText(at)
      at = this.#special(piece, at, byte)
    }
    endText(piece.length)
  }

  /** Reads the unit at `at` of a piece; gives the position of its last byte. */
  #special(piece: Uint8Array, at: number, byte: number): number {
    if (this.#pendingLead) {
      this.#pendingLead = false
      if (byte >= 0x80 && byte <= 0x9f) {
        this.#unit(Uint8Array.of(C1_LEAD, byte), { from: 0, to: 2 }, byte)
        return at
      }
      this.#unit(LEAD, { from: 0, to: 1 }, TEXT_UNIT)
    }
    if (byte === C1_LEAD) {
      this.#pendingLead = true
      return at
    }
    const to = this.#control === CONTROL.string ? endOfPayload(piece, at) : at + 1
    this.#unit(piece, { from: at, to: Math.max(to, at + 1) }, byte < 0x80 ? byte : TEXT_UNIT)
    return Math.max(to, at + 1) - 1
  }

  /** Passes one unit (or a stretch of payload) on to where it belongs. */
  #unit(source: Uint8Array, range: { from: number; to: number }, unit: number): void {
    const before = this.#control
    this.#control = nextControl(before, unit)
    const starts = before <= CONTROL.consumed || (unit === ESC && before !== CONTROL.string)
    const kind = kindOf(before, this.#control)
    if (kind !== "payload") this.#endPayload()
    if (kind === "text") {
      this.#attachSequence(true)
      this.#text.append(source, range.from, range.to)
    }
    if (kind === "payload") this.#readPayload(source, range)
    if (kind === "control") this.#readControl(source, range, starts)
  }

  /** Collects a sequence until it is complete, or broken off by what is no part of it. */
  #readControl(source: Uint8Array, range: { from: number; to: number }, starts: boolean): void {
    if (starts) {
      this.#attachSequence(true)
      this.#dropping = this.#text.room() <= 0
    }
    const isParameter = !starts && (this.#control === CONTROL.csi || this.#control === CONTROL.intermediate)
    const hasRoom = !isParameter || this.#text.room() > this.#sequence.length
    if (!this.#dropping && hasRoom) for (let at = range.from; at < range.to; at++) this.#sequence.push(source[at] ?? 0)
    if (this.#control === CONTROL.consumed || this.#control === CONTROL.string) this.#attachSequence(false)
  }

  #attachSequence(broken: boolean): void {
    if (this.#sequence.length === 0) return
    this.#text.attach(Uint8Array.from(this.#sequence), broken)
    this.#sequence = []
  }

  #readPayload(source: Uint8Array, range: { from: number; to: number }): void {
    if (this.#dropping) return
    this.#payload ??= new SpanEngine(this.#parts)
    const to = Math.min(range.to, range.from + this.#text.room())
    if (to <= range.from) return
    this.#payload.append(source, range.from, to)
    this.#payload.advance(false)
    this.#text.attach(this.#payload.take())
  }

  #endPayload(): void {
    const payload = this.#payload
    if (payload === undefined) return
    this.#payload = undefined
    payload.advance(true)
    this.#text.attach(payload.take())
    this.#payloadMasks += payload.count
    for (const name of payload.names) this.#payloadNames.add(name)
  }
}

function kindOf(before: ControlState, after: ControlState): Kind {
  if (after === CONTROL.visible) return "text"
  return before === CONTROL.string && after === CONTROL.string ? "payload" : "control"
}

/** End of the payload that goes on at `from`: the next byte that may end a string, or the end of the piece. */
function endOfPayload(piece: Uint8Array, from: number): number {
  let at = from
  while (at < piece.length) {
    const byte = piece[at] ?? 0
    if (byte === 0x07 || byte === 0x18 || byte === 0x1a || byte === ESC || byte === C1_LEAD) break
    at++
  }
  return at
}
