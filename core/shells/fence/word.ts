/** One word of a shell text, as far as it can be read without running anything (spec shells.md §8). */
export interface Word {
  /** Quotes taken off; expansions stand as they were written. */
  readonly text: string
  /** The shell sees exactly `text`: nothing in it is expanded. */
  readonly literal: boolean
  /** UTF-16 units before the first quoted part; all of them where none is quoted. */
  readonly plainUnits: number
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/

/** Whether a word is `NAME=value`, `NAME+=value` or `NAME[i]=value`, the part before the value unquoted. */
export function isAssignment({ text, plainUnits }: Word): boolean {
  const found = ASSIGNMENT.exec(text)
  return found !== null && found[0].length <= plainUnits
}

/** Whether a word is this reserved word: literal, and no part of it quoted. */
export const isBare = (word: Word, text: string): boolean =>
  word.literal && word.text === text && word.plainUnits === text.length

/** Puts one word together from its quoted, unquoted and expanded parts. */
export class WordBuilder {
  #text = ""
  #started = false
  #expands = false
  #plainUnits = Number.POSITIVE_INFINITY
  /** Characters of unquoted parts that together make a pattern or a list of alternatives. */
  readonly #seen = new Set<string>()

  /** Something of a word was read, be it only `''`. */
  get started(): boolean {
    return this.#started
  }

  /** What is known so far. */
  get word(): Word {
    return {
      text: this.#text,
      literal: !this.#expands && !this.#isPattern(),
      plainUnits: Math.min(this.#plainUnits, this.#text.length),
    }
  }

  /** An unquoted part. */
  plain(part: string): void {
    this.#started = true
    this.#text += part
    for (const mark of MARKS) if (part.includes(mark)) this.#seen.add(mark)
  }

  /** A part that was quoted, its quotes taken off. */
  quoted(part: string): void {
    this.#started = true
    this.#plainUnits = Math.min(this.#plainUnits, this.#text.length)
    this.#text += part
  }

  /** A part that only the shell knows, as it was written. */
  expanded(source: string): void {
    this.#started = true
    this.#expands = true
    this.#text += source
  }

  #isPattern(): boolean {
    const has = (mark: string): boolean => this.#seen.has(mark)
    return has("*") || has("?") || (has("[") && has("]")) || (has("{") && (has(",") || has("..")))
  }
}

const MARKS = ["*", "?", "[", "]", "{", ",", ".."] as const
