import type { StreamSource } from "./reading.ts"

const LINE_FEED = 10
const CHUNK = 65_536

/** Offset where the last `lines` lines of the retained bytes begin; a last line without newline counts. */
export async function tailStart(source: StreamSource, lines: number): Promise<number> {
  const ranges = [...source.retained].reverse()
  let missing = lines
  let isEnd = true
  for (const range of ranges) {
    let to = range.to
    while (to > range.from) {
      const from = Math.max(range.from, to - CHUNK)
      const { bytes } = await source.read({ from, max: to - from })
      // The newline that ends the last line begins no line after it.
      let at = bytes.lastIndexOf(LINE_FEED, isEnd ? bytes.length - 2 : bytes.length - 1)
      isEnd = false
      while (at !== -1) {
        missing -= 1
        if (missing === 0) return from + at + 1
        at = at === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, at - 1)
      }
      to = from
    }
  }
  return ranges.at(-1)?.from ?? source.total
}

/** Newlines in the retained bytes of `[from, to)`, and the offset behind the `stopAfter`-th of them. */
export async function countLines(
  source: StreamSource,
  span: { readonly from: number; readonly to: number; readonly stopAfter?: number },
): Promise<{ readonly newlines: number; readonly end: number }> {
  let newlines = 0
  let at = span.from
  while (at < span.to) {
    const page = await source.read({ from: at, max: Math.min(CHUNK, span.to - at) })
    if (page.bytes.length === 0 || page.from >= span.to) break
    const bytes = page.bytes.subarray(0, span.to - page.from)
    let newline = bytes.indexOf(LINE_FEED)
    while (newline !== -1) {
      newlines += 1
      if (newlines === span.stopAfter) return { newlines, end: page.from + newline + 1 }
      newline = bytes.indexOf(LINE_FEED, newline + 1)
    }
    at = page.from + bytes.length
  }
  return { newlines, end: span.to }
}

/**
 * Number of the line that begins at `offset`, 1-based. Behind a dropped middle it is counted from the end, where the
 * number of the last line is known.
 */
export async function lineNumberAt(source: StreamSource, offset: number, linesTotal: number): Promise<number> {
  const first = source.retained[0]
  if (first !== undefined && first.from === 0 && offset <= first.to) {
    return (await countLines(source, { from: 0, to: offset })).newlines + 1
  }
  const { newlines } = await countLines(source, { from: offset, to: source.total })
  const open = offset < source.total && !(await endsInNewline(source)) ? 1 : 0
  return Math.max(1, linesTotal - newlines - open + 1)
}

/** Offset of line `number`; inside or behind a dropped range, of the first whole line that is known to come after. */
export async function offsetOfLine(source: StreamSource, number: number, linesTotal: number): Promise<number> {
  const [first, ...others] = source.retained
  if (number <= 1 || first === undefined) return first?.from ?? 0
  const head = await countLines(source, { from: first.from, to: first.to, stopAfter: number - 1 })
  if (first.from === 0 && head.newlines === number - 1) return head.end
  const next = others[0] ?? first
  const base = await lineNumberAt(source, next.from, linesTotal)
  if (number <= base) return next.from
  return (await countLines(source, { from: next.from, to: source.total, stopAfter: number - base })).end
}

async function endsInNewline(source: StreamSource): Promise<boolean> {
  if (source.total === 0) return true
  const { bytes } = await source.read({ from: source.total - 1, max: 1 })
  return bytes[0] === LINE_FEED
}
