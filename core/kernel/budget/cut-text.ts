/** Longest piece of text looked at to find a border between grapheme clusters. */
const NEAR = 128
/** Share of the kept characters that comes from the beginning (kernel.md §13). */
const HEAD_SHARE = 0.4

const clusters = new Intl.Segmenter("en", { granularity: "grapheme" })

/** What stands in place of `left` characters. */
export function leftOutMarker(left: number): string {
  return `\n[… ${left} characters left out …]\n`
}

/** Two ASCII characters are never one cluster, but for `\r\n`. */
function isBetweenAscii(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return before < 0x80 && text.charCodeAt(at) < 0x80 && before !== 0x0d
}

/** Start and end of the grapheme cluster that `at` lies within; both are `at` on a border. */
function clusterAt(text: string, at: number): { start: number; end: number } {
  if (at <= 0 || at >= text.length || isBetweenAscii(text, at)) return { start: at, end: at }
  const from = Math.max(0, at - NEAR)
  const found = clusters.segment(text.slice(from, at + NEAR)).containing(at - from)
  if (found === undefined || found.index === at - from) return { start: at, end: at }
  return { start: from + found.index, end: from + found.index + found.segment.length }
}

/** How many units of the beginning and of the end are kept when `kept` are. */
export function headAndTail(kept: number): { head: number; tail: number } {
  const head = Math.floor(kept * HEAD_SHARE)
  return { head, tail: kept - head }
}

/** Keeps ≤ `kept` UTF-16 units: 40 % head, 60 % tail round a marker, cut between grapheme clusters. */
export function cutText(text: string, kept: number): { text: string; kept: number } {
  const { head, tail } = headAndTail(kept)
  const headEnd = clusterAt(text, head).start
  const tailStart = Math.max(clusterAt(text, text.length - tail).end, headEnd)
  const left = tailStart - headEnd
  return { text: text.slice(0, headEnd) + leftOutMarker(left) + text.slice(tailStart), kept: text.length - left }
}
