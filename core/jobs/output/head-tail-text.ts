/** Small texts are joined up to this size, so that few pieces are kept. */
const PIECE_UNITS = 4096

/** Keeps the beginning and the end of a text that arrives in pieces, and counts its characters (code points). */
export class HeadTailText {
  /** Code points so far. */
  chars = 0
  readonly #maxHead: number
  readonly #maxTail: number
  #head = ""
  #headChars = 0
  #tail: string[] = []
  #tailUnits = 0

  /** `maxHead`, `maxTail`: code points that `cut` may ask for at most. */
  constructor(maxHead: number, maxTail: number) {
    this.#maxHead = maxHead
    this.#maxTail = maxTail
  }

  push(text: string): void {
    this.chars += codePoints(text)
    const missing = this.#maxHead + this.#maxTail - this.#headChars
    const taken = missing > 0 ? unitsOf(text, missing) : 0
    if (taken > 0) {
      this.#head += text.slice(0, taken)
      this.#headChars = Math.min(this.chars, this.#maxHead + this.#maxTail)
    }
    if (text.length > 0) this.#pushTail(text)
  }

  /** The whole text; only right while `chars` ≤ `maxHead` + `maxTail`. */
  whole(): string {
    return this.#head
  }

  /** The first `head` and the last `tail` code points of a longer text. */
  ends(head: number, tail: number): { head: string; tail: string } {
    const last = this.#tail.join("")
    return { head: this.#head.slice(0, unitsOf(this.#head, head)), tail: last.slice(unitsFromEnd(last, tail)) }
  }

  #pushTail(text: string): void {
    const last = this.#tail.length - 1
    if ((this.#tail[last]?.length ?? PIECE_UNITS) < PIECE_UNITS) this.#tail[last] += text
    else this.#tail.push(text)
    this.#tailUnits += text.length
    const enough = this.#maxTail * 2
    while (this.#tail.length > 1 && this.#tailUnits - (this.#tail[0]?.length ?? 0) >= enough) {
      this.#tailUnits -= this.#tail.shift()?.length ?? 0
    }
  }
}

function codePoints(text: string): number {
  let count = text.length
  for (let at = 1; at < text.length; at++) if (isPairAt(text, at)) count--
  return count
}

/** Whether the units before and at `at` are one character. */
function isPairAt(text: string, at: number): boolean {
  const low = text.charCodeAt(at)
  if (low < 0xdc00 || low > 0xdfff) return false
  const high = text.charCodeAt(at - 1)
  return high >= 0xd800 && high <= 0xdbff
}

/** UTF-16 units of the first `chars` code points. */
function unitsOf(text: string, chars: number): number {
  if (text.length <= chars) return text.length
  let at = 0
  for (let left = chars; left > 0 && at < text.length; left--) at += isPairAt(text, at + 1) ? 2 : 1
  return at
}

/** Where the last `chars` code points begin. */
function unitsFromEnd(text: string, chars: number): number {
  let at = text.length
  for (let left = chars; left > 0 && at > 0; left--) at -= isPairAt(text, at - 1) ? 2 : 1
  return at
}
