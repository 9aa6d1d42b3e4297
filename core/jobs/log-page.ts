import { match } from "ts-pattern"
import { countLines, lineNumberAt, offsetOfLine, type PlacedLine, tailStart, type Until } from "./line-scan.ts"
import type { LogMode, LogQuery } from "./log-query.ts"
import type { StreamView } from "./log-schema.ts"
import { grepLog, type LogMatch } from "./output/grep-log.ts"
import { gapAt, pagesOf } from "./pages.ts"
import type { StreamSource } from "./reading.ts"
import type { StreamTotals } from "./record.ts"
import { firstCharacter, type Showing, showBytes } from "./text-page.ts"

/** A stream to be shown, with what else is known of it. */
export interface PageRequest {
  readonly source: StreamSource
  readonly totals: StreamTotals
  /** Nothing will be added any more. */
  readonly terminal: boolean
  readonly query: Pick<LogQuery, "view" | "encoding">
  /** Serialised JSON characters that the page may take. */
  readonly maxChars: number
  /** Whether to answer now with what there is (spec kernel.md §10). */
  readonly until: Until
}

type PlacedMode = Exclude<LogMode, { readonly kind: "token" }>

/** The part of a stream that a mode names (spec exec-and-jobs.md §7.2). */
export function pageOf(request: PageRequest, mode: PlacedMode): Promise<StreamView> {
  return match(mode)
    .with({ kind: "tail" }, ({ lines }) => tailPage(request, lines))
    .with({ kind: "lines" }, ({ from, max }) => linesPage(request, from, max))
    .with({ kind: "bytes" }, ({ from, max }) => bytesPage(request, from, max))
    .with({ kind: "grep" }, (search) => grepPage(request, search))
    .exhaustive()
}

const LINE_FEED = 10
/** A page is made of at most so many bytes, so that it is shown in one go without holding anybody up. */
const MAX_WINDOW_BYTES = 262_144
const MIN_WINDOW_BYTES = 65_536
const BYTES_A_CHAR = 4
const READ_AHEAD = 4
/** Serialised JSON characters that one byte may need. */
const MOST_ESCAPED = 6

function windowOf({ maxChars }: PageRequest): number {
  return Math.min(MAX_WINDOW_BYTES, Math.max(MIN_WINDOW_BYTES, maxChars * BYTES_A_CHAR))
}

/** Everything from an offset on, as far as it fits. */
export function deltaPage(request: PageRequest, from: number): Promise<StreamView> {
  return bytesPage(request, from, MAX_WINDOW_BYTES)
}

/** From an offset on; the offset may lie in a dropped range, then the page starts at its end and says `gap`. */
async function bytesPage(request: PageRequest, from: number, max: number): Promise<StreamView> {
  const { source } = request
  const gap = gapAt(source, from)
  const size = Math.min(max, windowOf(request))
  const page = await source.read({ from, max: size + READ_AHEAD })
  const shown = showBytes(page.bytes, size, showing(request, "character", page.from + page.bytes.length))
  const end = page.from + shown.bytes
  return {
    ...shown.content,
    ...common(request, { from: page.from, next: end }),
    ...(gap === undefined ? {} : { gap }),
    more: end < source.total,
  }
}

async function linesPage(request: PageRequest, fromLine: number, max: number): Promise<StreamView> {
  const { source } = request
  const start = await placedLine(request, fromLine)
  const range = source.retained.find((part) => start.offset < part.to)
  const to = Math.min(range?.to ?? source.total, start.offset + windowOf(request))
  const { end } = await countLines(source, { from: start.offset, to, stopAfter: max })
  const page = await spanPage(request, { from: start.offset, to: end, line: start.line, open: "hold" })
  const isBehindGap = fromLine > 0 && start.line !== undefined && start.line > fromLine
  const gap = isBehindGap || fromLine < 0 ? gapBefore(source, start.offset) : undefined
  return gap === undefined ? page : { ...page, gap }
}

async function placedLine(request: PageRequest, fromLine: number): Promise<PlacedLine> {
  const { source, until } = request
  if (fromLine > 0) return offsetOfLine(source, fromLine, until)
  const { offset } = await wholeLine(source, await tailStart(source, -fromLine, { until }))
  return { offset, line: await lineNumberAt(source, offset, until) }
}

/** The start itself, or the first one behind it where it lies within a line. */
async function wholeLine(
  source: StreamSource,
  start: { readonly offset: number; readonly found: boolean },
): Promise<{ readonly offset: number; readonly found: boolean }> {
  if (start.found) return start
  const { newlines, end } = await countLines(source, { from: start.offset, to: source.total, stopAfter: 1 })
  return newlines === 1 && end < source.total ? { offset: end, found: true } : start
}

async function tailPage(request: PageRequest, lines: number): Promise<StreamView> {
  const { source, until } = request
  let wanted = lines
  for (;;) {
    const start = await tailStart(source, wanted, { window: windowOf(request) })
    const { offset, found } = await wholeLine(source, start)
    if (!found) return endPage(request)
    const line = await lineNumberAt(source, offset, until)
    const page = await spanPage(request, { from: offset, to: source.total, line, open: "show" })
    if (page.next_byte >= source.total || !isCut(page, request)) {
      const gap = start.found ? undefined : gapBefore(source, offset)
      const more = wanted < lines || !start.found || page.next_byte < source.total
      return { ...page, more, ...(gap === undefined ? {} : { gap }) }
    }
    if (wanted === 1) return endPage(request)
    // The newest lines count: fewer of them until they fit.
    wanted = Math.max(1, Math.floor(wanted / 2))
  }
}

/** The newest bytes of a line that is too long to show. */
async function endPage(request: PageRequest): Promise<StreamView> {
  const { source, maxChars, until } = request
  const start = Math.max(0, source.total - Math.floor(maxChars / MOST_ESCAPED))
  const { bytes, from } = await source.read({ from: start, max: READ_AHEAD })
  const offset = from + firstCharacter(bytes)
  const line = await lineNumberAt(source, offset, until)
  const page = await bytesPage(request, offset, MAX_WINDOW_BYTES)
  return { ...page, ...(line === undefined ? {} : { from_line: line }), more: true }
}

/** Whether a page ends before what it was to show; a character still being written is not missing. */
function isCut(page: StreamView, { source }: PageRequest): boolean {
  return source.total - page.next_byte >= READ_AHEAD
}

interface Span {
  readonly from: number
  readonly to: number
  /** Number of the line that begins at `from`. */
  readonly line: number | undefined
  /** Whether a last line that is still being written is shown, or held until it has ended. */
  readonly open: "show" | "hold"
}

/** Whole lines of one span; a line that alone is too long is shown by its beginning, and `line_cut` says so. */
async function spanPage(request: PageRequest, span: Span): Promise<StreamView> {
  const { source } = request
  const page = await source.read({ from: span.from, max: Math.min(windowOf(request), span.to - span.from) })
  const read = page.bytes.subarray(0, Math.max(0, span.to - page.from))
  const { bytes, skipTo } = span.open === "hold" ? withoutOpenLine(request, read, page.from) : { bytes: read }
  const shown = showBytes(bytes, bytes.length, showing(request, "line", page.from + bytes.length))
  const end = page.from + shown.bytes
  const next = bytes.length === 0 ? (skipTo ?? span.from) : end
  const isAtEnd = end >= source.total
  const isOpen = shown.bytes > 0 && bytes[shown.bytes - 1] !== LINE_FEED
  const isLineCut = isOpen && !isAtEnd && span.open === "hold"
  const newlines = (await countLines(source, { from: page.from, to: end })).newlines
  const isPassed = isLineCut || skipTo !== undefined || (isOpen && isAtEnd && request.terminal)
  return {
    ...shown.content,
    ...common(request, { from: page.from, next }),
    ...(span.line === undefined ? {} : { from_line: span.line, next_line: span.line + newlines + (isPassed ? 1 : 0) }),
    ...(isLineCut ? { line_cut: true as const } : {}),
    more: next < source.total && (bytes.length > 0 || skipTo !== undefined),
  }
}

/** Lines that have an end; what was dropped ends none, and `skipTo` leads behind it. */
function withoutOpenLine(
  { source, terminal }: PageRequest,
  bytes: Uint8Array,
  from: number,
): { readonly bytes: Uint8Array; readonly skipTo?: number } {
  const end = from + bytes.length
  if (terminal && end >= source.total) return { bytes }
  const whole = bytes.lastIndexOf(LINE_FEED) + 1
  if (whole > 0) return { bytes: bytes.subarray(0, whole) }
  const isAtGap = source.retained.some((range) => range.to === end) && end < source.total
  // A line that is longer than a page is shown piece by piece; elsewhere its rest is awaited.
  if (!isAtGap && end < source.total) return { bytes }
  return isAtGap ? { bytes: bytes.subarray(0, 0), skipTo: end } : { bytes: bytes.subarray(0, 0) }
}

async function grepPage(
  request: PageRequest,
  mode: Extract<PlacedMode, { readonly kind: "grep" }>,
): Promise<StreamView> {
  const { source, maxChars, until } = request
  const gap = gapAt(source, mode.from)
  const from = Math.min(gap?.to_byte ?? mode.from, source.total)
  const parts = [from, ...source.retained.map((range) => range.from).filter((start) => start > from)]
  const firstLines = await Promise.all(parts.map((start) => lineNumberAt(source, start, until)))
  const found = await grepLog(pagesOf(source, { from }), {
    pattern: mode.pattern,
    context: mode.context,
    maxMatches: mode.max,
    firstLines,
    midLine: await isMidLine(source, from),
    until,
  })
  const kept = fitting(found.matches, maxChars)
  const next = found.matches[kept.length]?.byte ?? found.next ?? source.total
  return {
    matches: kept,
    ...common(request, { from, next }),
    ...(gap === undefined ? {} : { gap }),
    more: kept.length < found.matches.length || found.next !== undefined,
  }
}

async function isMidLine(source: StreamSource, from: number): Promise<boolean> {
  if (from === 0 || from >= source.total) return false
  const { bytes, from: at } = await source.read({ from: from - 1, max: 1 })
  return at !== from - 1 || bytes[0] !== LINE_FEED
}

function fitting(matches: readonly LogMatch[], maxChars: number): NonNullable<StreamView["matches"]> {
  const kept: NonNullable<StreamView["matches"]> = []
  let chars = 0
  for (const one of matches) {
    const view = { ...one, before: [...one.before], after: [...one.after] }
    chars += JSON.stringify(view).length
    if (chars > maxChars) return kept.length > 0 ? kept : [shortened(view, maxChars)]
    kept.push(view)
  }
  return kept
}

/** A match that alone is too long: its beginning, without the lines round it. */
function shortened<T extends { readonly text: string }>(match: T, maxChars: number): T & { before: []; after: [] } {
  const text = match.text.slice(0, Math.floor(maxChars / MOST_ESCAPED)).toWellFormed()
  return { ...match, text: text.length < match.text.length ? `${text}…` : text, before: [], after: [] }
}

function gapBefore(source: StreamSource, offset: number): StreamView["gap"] {
  const range = source.retained.findLast((part) => part.from <= offset)
  const before = source.retained.findLast((part) => range !== undefined && part.to < range.from)
  const from = before?.to ?? 0
  return range !== undefined && from < range.from ? { from_byte: from, to_byte: range.from } : undefined
}

function showing({ query, maxChars, terminal, source }: PageRequest, cut: Showing["cut"], end: number): Showing {
  return { ...query, maxChars, cut, final: terminal && end >= source.total }
}

function common(
  { totals, source, terminal }: PageRequest,
  place: { readonly from: number; readonly next: number },
): Pick<StreamView, "from_byte" | "next_byte" | "bytes_total" | "lines_total" | "dropped_bytes" | "complete"> {
  return {
    from_byte: place.from,
    next_byte: place.next,
    bytes_total: totals.bytes_total,
    lines_total: totals.lines_total,
    dropped_bytes: totals.dropped_bytes,
    complete: terminal && place.next >= source.total,
  }
}
