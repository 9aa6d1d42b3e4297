/** Bytes before the undecided ones that stay readable: what a name before `=` may need. */
export const LOOK_BACK_BYTES = 96
/** ESC, which begins a control sequence. */
export const ESC = 0x1b
/** The byte that begins a C1 control in UTF-8. */
export const C1_LEAD = 0xc2
const SLAB_BYTES = 65_536

/**
 * The visible bytes of one stream that a scanner may still look at, addressed by their position in the stream. Bytes
 * once written are never changed or moved, so that a view of them may be handed out.
 */
export class Window {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  /** Position of `bytes[0]`. */
  base = 0
  /** Position after the last byte. */
  end = 0
  /** Everything before this position has been given out. */
  released = 0

  /** Appends `source[from..to)`. */
  append(source: Uint8Array, from: number, to: number): void {
    if (this.end - this.base + to - from > this.bytes.length) this.#roll(to - from)
    const at = this.end - this.base
    if (from === 0 && to === source.length) this.bytes.set(source, at)
    else this.bytes.set(source.subarray(from, to), at)
    this.end += to - from
  }

  /** Appends a short `source` up to its first ESC or 0xC2; gives how many bytes that were. One loop beats two calls. */
  appendShort(source: Uint8Array): number {
    if (this.end - this.base + source.length > this.bytes.length) this.#roll(source.length)
    const { bytes } = this
    const start = this.end - this.base
    let at = 0
    for (; at < source.length; at++) {
      const byte = source[at] ?? 0
      if (byte === ESC || byte === C1_LEAD) break
      bytes[start + at] = byte
    }
    this.end += at
    return at
  }

  /** The bytes of `[from, to)`, not copied. */
  view(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(from - this.base, to - this.base)
  }

  /** The bytes of `[from, to)` as text; they are ASCII. */
  ascii(from: number, to: number): string {
    let text = ""
    for (let at = from; at < to; at++) text += String.fromCharCode(this.bytes[at - this.base] ?? 0)
    return text
  }

  #roll(more: number): void {
    const keepFrom = Math.max(this.base, this.released - LOOK_BACK_BYTES)
    const kept = this.view(keepFrom, this.end)
    const grown = Math.min(SLAB_BYTES, this.bytes.length * 4)
    const slab = new Uint8Array(Math.max(grown, (kept.length + more) * 2))
    slab.set(kept)
    this.bytes = slab
    this.base = keepFrom
  }
}
