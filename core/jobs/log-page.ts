import { match } from "ts-pattern"
import { countLines, lineNumberAt, offsetOfLine, tailStart } from "./line-scan.ts"
import type { LogMode, LogQuery } from "./log-query.ts"
import type { StreamView } from "./log-schema.ts"
import { grepLog, type LogMatch } from "./output/grep-log.ts"
import { gapAt, offsetOf, pagesOf } from "./pages.ts"
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

const MAX_BYTES = 1_048_576
const READ_AHEAD = 4
/** Serialised JSON characters that one byte may need. */
const MOST_ESCAPED = 6

/** Everything from an offset on, as far as it fits. */
export function deltaPage(request: PageRequest, from: number): Promise<StreamView> {
  return bytesPage(request, from, MAX_BYTES)
}

/** From an offset on; the offset may lie in a dropped range, then the page starts at its end and says `gap`. */
async function bytesPage(request: PageRequest, from: number, max: number): Promise<StreamView> {
  const { source } = request
  const gap = gapAt(source, from)
  const page = await source.read({ from, max: max + READ_AHEAD })
  const shown = showBytes(page.bytes, max, showing(request, "character", page.from + page.bytes.length))
  const end = page.from + shown.bytes
  return {
    ...shown.content,
    ...common(request, { from: page.from, next: end }),
    ...(gap === undefined ? {} : { gap }),
    more: end < source.total,
  }
}

async function linesPage(request: PageRequest, fromLine: number, max: number): Promise<StreamView> {
  const { source, totals } = request
  const wanted = fromLine < 0 ? Math.max(1, totals.lines_total + 1 + fromLine) : Math.max(1, fromLine)
  const from = await offsetOfLine(source, wanted, totals.lines_total)
  const first = await lineNumberAt(source, from, totals.lines_total)
  const end = (await countLines(source, { from, to: source.total, stopAfter: max })).end
  const gap = first > wanted ? gapBefore(source, from) : undefined
  const page = await spanPage(request, { from, to: end, firstLine: first })
  return { ...page, ...(gap === undefined ? {} : { gap }), more: page.next_byte < source.total }
}

async function tailPage(request: PageRequest, lines: number): Promise<StreamView> {
  const { source, totals } = request
  let wanted = lines
  for (;;) {
    const from = await tailStart(source, wanted)
    const firstLine = await lineNumberAt(source, from, totals.lines_total)
    const page = await spanPage(request, { from, to: source.total, firstLine })
    if (page.next_byte >= source.total || !isCut(page, request)) {
      return { ...page, more: wanted < lines || page.next_byte < source.total }
    }
    if (wanted === 1) return { ...(await endPage(request)), from_line: firstLine, more: true }
    // The newest lines count: fewer of them until they fit.
    wanted = Math.max(1, Math.floor(wanted / 2))
  }
}

/** The newest bytes of a line that is too long to show. */
async function endPage(request: PageRequest): Promise<StreamView> {
  const { source, maxChars } = request
  const start = Math.max(0, source.total - Math.floor(maxChars / MOST_ESCAPED))
  const { bytes, from } = await source.read({ from: start, max: READ_AHEAD })
  return bytesPage(request, from + firstCharacter(bytes), MAX_BYTES)
}

/** Whether a page ends before what it was to show; a character still being written is not missing. */
function isCut(page: StreamView, { source }: PageRequest): boolean {
  return source.total - page.next_byte >= READ_AHEAD
}

async function spanPage(
  request: PageRequest,
  span: { readonly from: number; readonly to: number; readonly firstLine: number },
): Promise<StreamView> {
  const { source } = request
  const page = await source.read({ from: span.from, max: Math.min(MAX_BYTES, Math.max(0, span.to - span.from)) })
  const bytes = page.bytes.subarray(0, Math.max(0, span.to - page.from))
  const shown = showBytes(bytes, bytes.length, showing(request, "line", page.from + bytes.length))
  const next = bytes.length === 0 ? span.to : page.from + shown.bytes
  const { newlines } = await countLines(source, { from: page.from, to: next })
  return {
    ...shown.content,
    ...common(request, { from: page.from, next }),
    from_line: span.firstLine,
    next_line: span.firstLine + newlines,
    more: next < source.total,
  }
}

async function grepPage(
  request: PageRequest,
  mode: Extract<PlacedMode, { readonly kind: "grep" }>,
): Promise<StreamView> {
  const { source, totals } = request
  const from = Math.min(mode.from, source.total)
  const found = await grepLog(pagesOf(source, from), {
    pattern: mode.pattern,
    context: mode.context,
    maxMatches: mode.max,
  })
  const gap = gapAt(source, from)
  const firstLine = await lineNumberAt(source, offsetOf(source, from, 0), totals.lines_total)
  const matches = found.matches.map((one) => placed(one, { source, from, firstLine, lines: found.lines, totals }))
  const kept = fitting(matches, request.maxChars)
  const more = found.more || kept.length < matches.length
  const last = kept.at(-1)
  const next = more && last !== undefined ? await behindLine(source, last.byte) : source.total
  return {
    matches: kept,
    ...common(request, { from: offsetOf(source, from, 0), next }),
    ...(gap === undefined ? {} : { gap }),
    more,
  }
}

/** A match with its place in the stream instead of its place in what was read. */
function placed(
  found: LogMatch,
  read: {
    readonly source: StreamSource
    readonly from: number
    readonly firstLine: number
    readonly lines: number
    readonly totals: StreamTotals
  },
): LogMatch {
  const byte = offsetOf(read.source, read.from, found.byte)
  const beyondGap = read.source.retained.some((range) => range.from > read.from && byte >= range.from)
  const line = beyondGap ? read.totals.lines_total - read.lines + found.line : read.firstLine + found.line - 1
  return { ...found, byte, line }
}

function fitting(matches: readonly LogMatch[], maxChars: number): NonNullable<StreamView["matches"]> {
  const kept: NonNullable<StreamView["matches"]> = []
  let chars = 0
  for (const one of matches) {
    const view = { ...one, before: [...one.before], after: [...one.after] }
    chars += JSON.stringify(view).length
    if (chars > maxChars && kept.length > 0) break
    kept.push(view)
  }
  return kept
}

async function behindLine(source: StreamSource, byte: number): Promise<number> {
  return (await countLines(source, { from: byte, to: source.total, stopAfter: 1 })).end
}

function gapBefore(source: StreamSource, offset: number): StreamView["gap"] {
  const before = source.retained.findLast((range) => range.to < offset)
  const from = before?.to ?? 0
  return from < offset ? gapAt(source, from) : undefined
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
