/** Bytes that are not text, standing before the visible byte at `at`. */
interface Attachment {
  readonly at: number
  bytes: Uint8Array
  length: number
  /** A sequence that the visible byte broke off: a mask must not follow it, since its `[` would go on with it. */
  readonly broken: boolean
}

/** Most bytes of control sequences kept while a possible match is open (kernel.md §12); what is beyond is left out. */
const MAX_ATTACHED_BYTES = 16_384
const FIRST_SIZE = 16
/** Taken entries are cleared away when there are this many of them. */
const CLEAR_AFTER = 1024

const NOTHING = new Uint8Array(0)

/** What is attached between visible bytes and not yet given out, first to last. */
export class Attachments {
  readonly #entries: Attachment[] = []
  #taken = 0
  #bytes = 0
  #broken = 0

  /** Bytes that may still be added; negative if more came than there was room for. */
  get room(): number {
    return MAX_ATTACHED_BYTES - this.#bytes
  }

  /** The first entry not taken. */
  get first(): { readonly at: number } | undefined {
    return this.#entries[this.#taken]
  }

  /** Adds a copy of `bytes` before the visible byte at `at`, which is not before any earlier one. */
  add(at: number, bytes: Uint8Array, broken: boolean): void {
    if (bytes.length === 0) return
    this.#bytes += bytes.length
    const last = this.#taken < this.#entries.length ? this.#entries.at(-1) : undefined
    if (last?.at !== at || broken || last.broken) {
      const own = new Uint8Array(Math.max(FIRST_SIZE, bytes.length))
      own.set(bytes)
      this.#entries.push({ at, bytes: own, length: bytes.length, broken })
      if (broken) this.#broken++
      return
    }
    if (last.length + bytes.length > last.bytes.length) {
      const grown = new Uint8Array((last.length + bytes.length) * 2)
      grown.set(last.bytes.subarray(0, last.length))
      last.bytes = grown
    }
    last.bytes.set(bytes, last.length)
    last.length += bytes.length
  }

  /** Removes the first entry and gives its bytes. */
  takeFirst(): Uint8Array {
    const entry = this.#entries[this.#taken]
    if (entry === undefined) return NOTHING
    this.#taken++
    this.#bytes -= entry.length
    if (entry.broken) this.#broken--
    if (this.#taken >= CLEAR_AFTER || this.#taken === this.#entries.length) {
      this.#entries.splice(0, this.#taken)
      this.#taken = 0
    }
    return entry.bytes.subarray(0, entry.length)
  }

  /** Whether a sequence that the visible byte at `at` broke off is attached. */
  hasBroken(at: number): boolean {
    return (
      this.#broken > 0 && this.#entries.some((entry, index) => index >= this.#taken && entry.broken && entry.at === at)
    )
  }

  /** Removes the broken sequences directly before the visible byte at `at`. */
  dropBroken(at: number): void {
    if (this.#broken === 0) return
    let end = this.#taken
    while ((this.#entries[end]?.at ?? at + 1) <= at) end++
    for (
      let last = this.#entries[end - 1];
      end > this.#taken && last?.broken && last.at === at;
      last = this.#entries[end - 1]
    ) {
      end--
      this.#entries.splice(end, 1)
      this.#bytes -= last.length
      this.#broken--
    }
  }
}
