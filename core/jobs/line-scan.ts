import { countNewlines } from "./output/newlines.ts"
import type { StreamSource } from "./reading.ts"

const LINE_FEED = 10
const CHUNK = 65_536

/** Asked between pages: whether to give up. */
export type Until = () => boolean

/** Newlines in the retained bytes of `[from, to)`, and the offset behind the `stopAfter`-th of them. */
export async function countLines(
  source: StreamSource,
  span: { readonly from: number; readonly to: number; readonly stopAfter?: number },
  until: Until = () => false,
): Promise<{ readonly newlines: number; readonly end: number }> {
  let newlines = 0
  let at = span.from
  while (at < span.to && !(at > span.from && until())) {
    const page = await source.read({ from: at, max: Math.min(CHUNK, span.to - at) })
    if (page.bytes.length === 0 || page.from >= span.to) return { newlines, end: span.to }
    const bytes = page.bytes.subarray(0, span.to - page.from)
    const here = countNewlines(bytes)
    if (span.stopAfter !== undefined && newlines + here >= span.stopAfter) {
      return { newlines: span.stopAfter, end: page.from + behindNewline(bytes, span.stopAfter - newlines) }
    }
    newlines += here
    at = page.from + bytes.length
  }
  return { newlines, end: Math.min(at, span.to) }
}

/** Position behind the `count`-th newline. */
function behindNewline(bytes: Uint8Array, count: number): number {
  let at = 0
  for (let left = count; left > 0; left -= 1) at = bytes.indexOf(LINE_FEED, at) + 1
  return at
}

/** Where a line begins; `found` is false where a dropped range, a bound or the time came first. */
export interface LineStart {
  readonly offset: number
  readonly found: boolean
}

/** Begin of the line behind which exactly `newlines` newlines lie, read from the end; only in the newest range. */
export async function lineStartBefore(
  source: StreamSource,
  bounds: { readonly newlines: number; readonly window?: number; readonly until?: Until },
): Promise<LineStart> {
  const range = source.retained.at(-1)
  if (range === undefined) return { offset: source.total, found: true }
  const oldest = Math.max(range.from, range.to - (bounds.window ?? Number.POSITIVE_INFINITY))
  let left = bounds.newlines
  let to = range.to
  while (to > oldest && !(to < range.to && bounds.until?.() === true)) {
    const from = Math.max(oldest, to - CHUNK)
    const { bytes } = await source.read({ from, max: to - from })
    const here = countNewlines(bytes)
    if (here > left) return { offset: from + behindNewline(bytes, here - left), found: true }
    left -= here
    to = from
  }
  return { offset: to, found: to === 0 }
}

/** Where the last `lines` lines begin; a last line without newline counts. */
export async function tailStart(
  source: StreamSource,
  lines: number,
  bounds: { readonly window?: number; readonly until?: Until } = {},
): Promise<LineStart> {
  const newlines = lines - ((await endsInNewline(source)) ? 0 : 1)
  return lineStartBefore(source, { ...bounds, newlines })
}

/**
 * Number of the line that the byte at `offset` lies in, 1-based: counted from the nearer end where the number of all
 * newlines is known. `undefined` where it cannot be known, or not in time.
 */
export async function lineNumberAt(
  source: StreamSource,
  offset: number,
  until: Until = () => false,
): Promise<number | undefined> {
  const { total, newlines, retained } = source
  const [first] = retained
  const isNearStart = first !== undefined && first.from === 0 && offset <= first.to
  const isNearEnd = newlines !== undefined && offset >= (retained.at(-1)?.from ?? 0)
  if (!isNearStart && !isNearEnd) return offset === 0 ? 1 : undefined
  const fromEnd = isNearEnd && (!isNearStart || total - offset < offset)
  const span = fromEnd ? { from: offset, to: total } : { from: 0, to: offset }
  const counted = await countLines(source, span, until)
  if (counted.end < span.to) return undefined
  return fromEnd && newlines !== undefined ? newlines - counted.newlines + 1 : counted.newlines + 1
}

/** A line's begin with its number. */
export interface PlacedLine {
  readonly offset: number
  readonly line: number | undefined
}

/**
 * Where line `number` begins; inside or behind a dropped range, where the first whole line begins that is known to come
 * after. `line` differs from `number` where the stream is shorter or the time ran out.
 */
export async function offsetOfLine(source: StreamSource, number: number, until: Until): Promise<PlacedLine> {
  const { newlines, retained, total } = source
  const [first] = retained
  if (first === undefined) return { offset: total, line: number }
  if (newlines !== undefined && number > newlines + 1) return { offset: total, line: number }
  if (newlines !== undefined && number - 1 > newlines / 2) {
    const start = await lineStartBefore(source, { newlines: newlines - number + 1, until })
    if (start.found) return { offset: start.offset, line: number }
  }
  if (first.from === 0) {
    const head = await countLines(source, { from: 0, to: first.to, stopAfter: number - 1 }, until)
    if (number <= 1) return { offset: 0, line: 1 }
    // A line that would begin where bytes were dropped is gone with them.
    const isKept = head.end < first.to || retained.length === 1
    if (isKept && head.newlines === number - 1) return { offset: head.end, line: number }
    if (head.end < first.to) return { offset: head.end, line: head.newlines + 1 }
    if (retained.length === 1) return { offset: total, line: number }
  }
  const next = retained[first.from === 0 ? 1 : 0] ?? first
  const whole = await countLines(source, { from: next.from, to: next.to, stopAfter: 1 }, until)
  const base = await lineNumberAt(source, whole.end, until)
  if (base === undefined || number <= base) return { offset: whole.end, line: base }
  const span = { from: whole.end, to: total, stopAfter: number - base }
  const { end } = await countLines(source, span, until)
  return { offset: end, line: number }
}

/** Whether the last line has an end; so it is in an empty stream. */
export async function endsInNewline(source: StreamSource): Promise<boolean> {
  if (source.total === 0) return true
  const { bytes } = await source.read({ from: source.total - 1, max: 1 })
  return bytes[0] === LINE_FEED
}
