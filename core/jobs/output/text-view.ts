import { ControlReducer } from "./control-reduction.ts"
import { wholeCharacters } from "./utf8.ts"

/** How bytes become text: `clean` reduces control sequences, `raw` only decodes (exec-and-jobs.md §7.2). */
export type ViewKind = "clean" | "raw"

/** What stands for what is no text. */
const REPLACEMENT = "\ufffd"

/** Bytes of one stream to text: streaming UTF-8 decoding, then control reduction (shells.md §4.3, stage 2). */
export class TextView {
  /** NUL or invalid UTF-8 was seen. */
  binary = false
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  readonly #strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  readonly #reducer: ControlReducer | undefined
  /** The beginning of a character. */
  #held = new Uint8Array(0)

  constructor(kind: ViewKind) {
    this.#reducer = kind === "clean" ? new ControlReducer() : undefined
  }

  /** Nothing is held back: the next text begins a line and no character or control sequence is under way. */
  get isResting(): boolean {
    return this.#held.length === 0 && (this.#reducer?.isResting ?? true)
  }

  /** Takes bytes in; gives the text that is decided: whole lines in the clean view. */
  push(bytes: Uint8Array): string {
    const all = this.#held.length === 0 ? bytes : joined(this.#held, bytes)
    const whole = wholeCharacters(all)
    this.#held = all.slice(whole)
    return this.#reduce(this.#decode(all.subarray(0, whole)))
  }

  /** Ends the stream; a dangling sequence shows as one U+FFFD. */
  end(): string {
    const text = this.#reduce(this.#decode(this.#held)) + (this.#reducer?.end() ?? "")
    this.#held = new Uint8Array(0)
    return text
  }

  #reduce(text: string): string {
    return this.#reducer === undefined ? text : this.#reducer.push(text)
  }

  #decode(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes)
    this.binary ||= bytes.includes(0) || (text.includes(REPLACEMENT) && !this.#isValid(bytes))
    return text
  }

  #isValid(bytes: Uint8Array): boolean {
    try {
      this.#strict.decode(bytes)
      return true
    } catch (error) {
      if (error instanceof TypeError) return false
      throw error
    }
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}

/** The text of one finished page. */
export function textOf(bytes: Uint8Array, kind: ViewKind): { readonly text: string; readonly binary: boolean } {
  const view = new TextView(kind)
  const text = view.push(bytes) + view.end()
  return { text, binary: view.binary }
}
