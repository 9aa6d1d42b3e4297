import type { UnitRange } from "./match.ts"

/** A range and the units that take its place. */
export interface Replacement extends UnitRange {
  readonly text: string
}

/** Lines with their ends; a non-empty rest is a line. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = []
  let from = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
    lines.push(text.slice(from, at + 1))
    from = at + 1
  }
  if (from < text.length) lines.push(text.slice(from))
  return lines
}

const plain = (line: string): string => (line.endsWith("\r\n") ? `${line.slice(0, -2)}\n` : line)

/** The newline that new lines at a place take: of the matched span, else of its line, else of the line before. */
export function localNewline(units: string, span: UnitRange): "\n" | "\r\n" | undefined {
  const styleAt = (feed: number): "\n" | "\r\n" => (feed > 0 && units[feed - 1] === "\r" ? "\r\n" : "\n")
  const after = units.indexOf("\n", span.start)
  if (after >= 0) return styleAt(after)
  const before = span.start > 0 ? units.lastIndexOf("\n", span.start - 1) : -1
  return before >= 0 ? styleAt(before) : undefined
}

function commonLines(a: readonly string[], b: readonly string[], most: number): number {
  let count = 0
  while (count < most && plain(a[count] ?? "") === plain(b[count] ?? "")) count += 1
  return count
}

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0)

/**
 * What to splice in for a match: leading and trailing lines that old and new share keep the file's own bytes, every
 * other newline takes the local style (files-and-git.md §4.1 "Writing").
 * @param span The matched range, whose lines correspond to those of `oldUnits`.
 */
export function adaptReplacement(
  units: string,
  span: UnitRange,
  texts: { readonly oldUnits: string; readonly newUnits: string },
): Replacement {
  const oldLines = splitLines(texts.oldUnits)
  const newLines = splitLines(texts.newUnits)
  const fileLines = splitLines(units.slice(span.start, span.end))
  const shorter = Math.min(oldLines.length, newLines.length)
  const leading = commonLines(oldLines, newLines, shorter)
  const trailing = commonLines([...oldLines].reverse(), [...newLines].reverse(), shorter - leading)
  const middle = newLines.slice(leading, newLines.length - trailing)
  const newline = localNewline(units, span)
  const adapted = newline === undefined ? middle : middle.map((line) => plain(line).replace(/\n$/, newline))
  return {
    start: span.start + lengthOf(fileLines.slice(0, leading)),
    end: span.end - lengthOf(fileLines.slice(fileLines.length - trailing)),
    text: adapted.join(""),
  }
}
