import { type LinePattern, lineMatches } from "./line-pattern.ts"
import type { LineBlock, ViewLine } from "./line-reader.ts"

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
    if (lineMatches(this.#pattern, line)) {
      for (const earlier of this.#before) this.#pass(earlier)
      this.#before = []
      this.#beforeUnits = 0
      this.#showUntil = line.number + this.#context
      this.#pass(line)
    } else if (line.number <= this.#showUntil) this.#pass(line)
    else if (this.#context > 0) this.#remember(line)
  }

  /** Of a block without a match only its last lines can matter, as context of a later one. */
  wanted({ number, text }: LineBlock): number {
    const isContext = number <= this.#showUntil
    return isContext || this.#pattern.mayMatch(text) ? Number.POSITIVE_INFINITY : this.#context
  }

  /** What came before is no context of what follows; numbers begin anew. */
  restart(): void {
    this.#before = []
    this.#beforeUnits = 0
    this.#showUntil = 0
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
