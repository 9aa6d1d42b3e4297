import { type LinePattern, lineMatches } from "./line-pattern.ts"
import { type LineBlock, LineReader, type LineVisitor, type PageSource, type ViewLine } from "./line-reader.ts"

/** A matching line of a Job's log with the lines round it (exec-and-jobs.md §7.2). */
export interface LogMatch {
  /** 1-based; absent where it cannot be known behind a dropped middle. */
  readonly line?: number
  /** Offset of the line's first retained byte. */
  readonly byte: number
  readonly text: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The matches found, in order, and where to go on. */
export interface LogMatches {
  readonly matches: readonly LogMatch[]
  /** Offset from which on nothing was looked at or shown; `undefined`: all was. */
  readonly next: number | undefined
}

/** What to look for, how many lines to show round a match, and how many matches to return. */
export interface LogSearch {
  readonly pattern: LinePattern
  readonly context: number
  readonly maxMatches: number
  /** Number of the first line of each part of the stream, in order; default 1. */
  readonly firstLines?: readonly (number | undefined)[]
  /** Reading begins within a line. */
  readonly midLine?: boolean
  /** Asked between pages: whether the search has to answer now. */
  readonly until?: () => boolean
}

/** Longer lines are shown by their beginning. */
const SHOWN_UNITS = 4000

const shown = (text: string): string =>
  text.length <= SHOWN_UNITS ? text : `${text.slice(0, SHOWN_UNITS).toWellFormed()}…`

interface OpenMatch extends LogMatch {
  readonly number: number
  readonly after: string[]
}

class Search implements LineVisitor {
  readonly matches: OpenMatch[] = []
  /** The first match that is not shown. */
  beyond: number | undefined
  readonly #search: LogSearch
  #before: string[] = []
  /** Matches of this part that still want lines after them. */
  #open: OpenMatch[] = []
  #part = 0

  constructor(search: LogSearch) {
    this.#search = search
  }

  get isDone(): boolean {
    return this.beyond !== undefined && this.#open.length === 0
  }

  line(line: ViewLine): void {
    const { context, pattern } = this.#search
    this.#open = this.#open.filter((match) => match.number + context >= line.number)
    for (const match of this.#open) if (match.number < line.number) match.after.push(shown(line.text))
    if (this.beyond === undefined && lineMatches(pattern, line)) this.#found(line)
    if (context === 0) return
    this.#before.push(shown(line.text))
    if (this.#before.length > context) this.#before.shift()
  }

  wanted({ number, text }: LineBlock): number {
    const { context, pattern } = this.#search
    const isContext = this.#open.some((match) => match.number + context >= number)
    return isContext || (this.beyond === undefined && pattern.mayMatch(text)) ? Number.POSITIVE_INFINITY : context
  }

  gap(): void {
    this.#part++
    this.#before = []
    this.#open = []
  }

  #found(line: ViewLine): void {
    const { context, firstLines, maxMatches } = this.#search
    if (this.matches.length === maxMatches) {
      this.beyond = line.byte
      return
    }
    const first = firstLines === undefined ? 1 : firstLines[this.#part]
    const match: OpenMatch = {
      ...(first === undefined ? {} : { line: first + line.number - 1 }),
      number: line.number,
      byte: line.byte,
      text: shown(line.text),
      before: [...this.#before],
      after: [],
    }
    this.matches.push(match)
    if (context > 0) this.#open.push(match)
  }
}

/** Searches the clean view of all retained bytes, in linear time and bounded memory; a match never spans a gap. */
export async function grepLog(source: PageSource, search: LogSearch): Promise<LogMatches> {
  const visitor = new Search(search)
  const reader = new LineReader(visitor, search.midLine)
  let begun: number | undefined
  let stopped: number | undefined
  for await (const page of source()) {
    begun ??= page.from
    if (stopped !== undefined || visitor.isDone || (page.from > begun && search.until?.() === true)) {
      // A line longer than all that was read is left where reading got to, so that the next search gets on.
      stopped = reader.lineFrom > begun ? reader.lineFrom : page.from
      break
    }
    reader.push(page)
  }
  if (stopped === undefined) reader.end()
  const matches = visitor.matches.map(({ number: _, ...match }) => match)
  return { matches, next: visitor.beyond ?? stopped }
}
