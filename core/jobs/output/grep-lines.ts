import type { LinePattern } from "./line-pattern.ts"
import type { ViewLine } from "./line-reader.ts"

/** Most UTF-16 units of lines kept back as context before a match; older ones are given up first. */
const MAX_CONTEXT_UNITS = 4_194_304

/** Passes on the lines that match and up to `context` lines round each, in order, each once. */
export class GrepLines {
  readonly #pattern: LinePattern
  readonly #context: number
  readonly #pass: (line: ViewLine) => void
  #before: ViewLine[] = []
  #beforeUnits = 0
  /** Lines up to this number follow a match. */
  #showUntil = 0

  constructor(grep: { readonly pattern: LinePattern; readonly context: number }, pass: (line: ViewLine) => void) {
    this.#pattern = grep.pattern
    this.#context = grep.context
    this.#pass = pass
  }

  push(line: ViewLine): void {
    if (this.#pattern.matches(line.text)) {
      for (const earlier of this.#before) this.#pass(earlier)
      this.#before = []
      this.#beforeUnits = 0
      this.#showUntil = line.number + this.#context
      this.#pass(line)
    } else if (line.number <= this.#showUntil) this.#pass(line)
    else if (this.#context > 0) this.#remember(line)
  }

  #remember(line: ViewLine): void {
    this.#before.push(line)
    this.#beforeUnits += line.text.length
    while (this.#before.length > 0) {
      const [oldest] = this.#before
      const isFar = oldest !== undefined && oldest.number <= line.number - this.#context
      if (!isFar && this.#beforeUnits <= MAX_CONTEXT_UNITS) break
      this.#beforeUnits -= oldest?.text.length ?? 0
      this.#before.shift()
    }
  }
}
