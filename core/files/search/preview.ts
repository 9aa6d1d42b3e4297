/** Code points of a line that are shown. */
export const PREVIEW_POINTS = 300

const LEAD_POINTS = 100

/** What is shown of a matching line. */
export interface Preview {
  readonly text: string
  readonly cut: boolean
  /** Of the match, from 1, in code points. */
  readonly column: number
}

/** A line without its line feed and the carriage return before it. */
export const withoutNewline = (line: string): string => line.replace(/\r?\n$/, "")

function countPoints(text: string, end: number): number {
  let points = 0
  for (let index = 0; index < end; index += 1) {
    const unit = text.charCodeAt(index)
    const isTrail = unit >= 0xdc00 && unit <= 0xdfff
    if (!isTrail || index === 0) points += 1
  }
  return points
}

/** The part of a line around its first match, which starts at UTF-16 unit `at`. */
export function previewOf(line: string, at: number): Preview {
  const column = countPoints(line, at) + 1
  const before = [...line.slice(Math.max(0, at - 2 * PREVIEW_POINTS), at)].slice(-PREVIEW_POINTS)
  const after = [...line.slice(at, at + 2 * PREVIEW_POINTS)].slice(0, PREVIEW_POINTS)
  const lead = Math.min(before.length, Math.max(LEAD_POINTS, PREVIEW_POINTS - after.length))
  const text = [...before.slice(before.length - lead), ...after.slice(0, PREVIEW_POINTS - lead)].join("")
  return { text, cut: text.length < line.length, column }
}

/** The beginning of a context line. */
export function contextOf(line: string): { readonly text: string; readonly cut: boolean } {
  if (line.length <= PREVIEW_POINTS) return { text: line, cut: false }
  const text = [...line.slice(0, 2 * PREVIEW_POINTS)].slice(0, PREVIEW_POINTS).join("")
  return { text, cut: text.length < line.length }
}
