import { ControlReducer } from "./control-reduction.ts"

/** How bytes become text: `clean` reduces control sequences, `raw` only decodes (exec-and-jobs.md §7.2). */
export type ViewKind = "clean" | "raw"

/** Bytes of one stream to text: streaming UTF-8 decoding, then control reduction (shells.md §4.3, stage 2). */
export class TextView {
  /** NUL or invalid UTF-8 was seen. */
  binary = false
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  readonly #strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  readonly #reducer: ControlReducer | undefined

  constructor(kind: ViewKind) {
    this.#reducer = kind === "clean" ? new ControlReducer() : undefined
  }

  /** Takes bytes in; gives the text that is decided: whole lines in the clean view. */
  push(bytes: Uint8Array): string {
    this.#inspect(bytes, true)
    return this.#reduce(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Ends the stream; a dangling sequence shows as one U+FFFD. */
  end(): string {
    this.#inspect(new Uint8Array(0), false)
    return this.#reduce(this.#decoder.decode()) + (this.#reducer?.end() ?? "")
  }

  #reduce(text: string): string {
    return this.#reducer === undefined ? text : this.#reducer.push(text)
  }

  #inspect(bytes: Uint8Array, stream: boolean): void {
    if (this.binary) return
    this.binary = bytes.includes(0) || !this.#isValid(bytes, stream)
  }

  #isValid(bytes: Uint8Array, stream: boolean): boolean {
    try {
      this.#strict.decode(bytes, { stream })
      return true
    } catch (error) {
      if (error instanceof TypeError) return false
      throw error
    }
  }
}

/** The text of one finished page. */
export function textOf(bytes: Uint8Array, kind: ViewKind): { readonly text: string; readonly binary: boolean } {
  const view = new TextView(kind)
  const text = view.push(bytes) + view.end()
  return { text, binary: view.binary }
}
