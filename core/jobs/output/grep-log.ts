import type { LinePattern } from "./line-pattern.ts"
import { type PageSource, readLines, type ViewLine } from "./line-reader.ts"

/** A matching line of a Job's log with the lines round it (exec-and-jobs.md §7.2). */
export interface LogMatch {
  /** 1-based, counted from where reading began. */
  readonly line: number
  /** Offset, from where reading began, of the line's first byte. */
  readonly byte: number
  readonly text: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The matches found, in order, and whether there are more. */
export interface LogMatches {
  readonly matches: readonly LogMatch[]
  readonly more: boolean
  /** Lines that were read. */
  readonly lines: number
}

/** What to look for, how many lines to show round a match, and how many matches to return. */
export interface LogSearch {
  readonly pattern: LinePattern
  readonly context: number
  readonly maxMatches: number
}

type OpenMatch = LogMatch & { readonly after: string[] }

/** Searches the clean view of all retained bytes, in linear time and bounded memory. */
export async function grepLog(source: PageSource, search: LogSearch): Promise<LogMatches> {
  const { pattern, context, maxMatches } = search
  const matches: OpenMatch[] = []
  const before: string[] = []
  let more = false
  const visit = (line: ViewLine): void => {
    for (let at = matches.length - 1; at >= 0; at--) {
      const match = matches[at]
      if (match === undefined || match.line + context < line.number) break
      if (match.line < line.number) match.after.push(line.text)
    }
    if (pattern.matches(line.text)) {
      if (matches.length < maxMatches) {
        matches.push({ line: line.number, byte: line.byte, text: line.text, before: [...before], after: [] })
      } else more = true
    }
    before.push(line.text)
    if (before.length > context) before.shift()
  }
  const { lines } = await readLines(source, "clean", visit)
  return { matches, more, lines }
}
