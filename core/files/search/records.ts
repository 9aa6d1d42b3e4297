import { contextOf, previewOf, withoutNewline } from "./preview.ts"
import type { SearchFile, SearchMatch, SearchPage, SearchQuery, TruncationReason } from "./search.ts"

/** Lines round a match that a query wants, and how many records of one file may be needed at all. */
export interface RecordShape {
  readonly path: string
  readonly contextBefore: number
  readonly contextAfter: number
  /** Records from this index on, counted in the file, are kept; earlier ones only counted. */
  readonly keepFrom: number
  readonly keepTo: number
}

interface PendingMatch {
  readonly match: SearchMatch
  readonly after: string[]
  readonly lastLine: number
  cut: boolean
}

interface ContextLine {
  readonly line: number
  readonly text: string
  readonly cut: boolean
}

/**
 * Makes the records of one file from its lines, which come in order; lines that are neither matching nor context may be
 * left out. Nothing of it counts before the file is known to be no binary.
 */
export class FileRecords {
  readonly #shape: RecordShape
  readonly #kept: PendingMatch[] = []
  #recent: ContextLine[] = []
  #count = 0

  constructor(shape: RecordShape) {
    this.#shape = shape
  }

  /** Matching lines so far. */
  get count(): number {
    return this.#count
  }

  get path(): string {
    return this.#shape.path
  }

  /** @param matchAt Start of the first match in UTF-16 units; undefined for a context line. */
  add(line: number, text: string, matchAt?: number): void {
    const shown = withoutNewline(text)
    const { contextBefore, contextAfter } = this.#shape
    if (contextBefore > 0 || contextAfter > 0) {
      const context = { line, ...contextOf(shown) }
      for (const pending of this.#kept.slice(-contextAfter - 1)) this.#addAfter(pending, context)
      if (matchAt !== undefined) this.#match(line, shown, matchAt)
      if (contextBefore > 0) this.#recent = [...this.#recent, context].slice(-contextBefore)
    } else if (matchAt !== undefined) this.#match(line, shown, matchAt)
  }

  /** The kept records. */
  records(): readonly SearchMatch[] {
    const { contextAfter } = this.#shape
    return this.#kept.map(({ match, after, cut }) => ({
      ...match,
      ...(cut ? { preview_cut: true } : {}),
      ...(match.before === undefined ? {} : { before: match.before }),
      ...(contextAfter === 0 ? {} : { after }),
    }))
  }

  #addAfter(pending: PendingMatch, context: ContextLine): void {
    if (context.line <= pending.match.line || context.line > pending.lastLine) return
    pending.after.push(context.text)
    pending.cut ||= context.cut
  }

  #match(line: number, shown: string, matchAt: number): void {
    const index = this.#count
    this.#count += 1
    const { path, keepFrom, keepTo, contextBefore, contextAfter } = this.#shape
    if (index < keepFrom || index >= keepTo) return
    const preview = previewOf(shown, Math.min(matchAt, shown.length))
    const before = this.#recent.filter((context) => context.line >= line - contextBefore)
    this.#kept.push({
      match: {
        path,
        line,
        column: preview.column,
        preview: preview.text,
        ...(contextBefore === 0 ? {} : { before: before.map((context) => context.text) }),
      },
      after: [],
      lastLine: line + contextAfter,
      cut: preview.cut || before.some((context) => context.cut),
    })
  }
}

/** What a page's records came to, without what only a backend knows. */
export type CollectedPage = Omit<SearchPage, "backend" | "not_searched">

const MAX_OFFSET = 100_000
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1

const withoutContext = ({ before: _before, after: _after, ...match }: SearchMatch): SearchMatch => ({
  ...match,
  preview_cut: true,
})

/** Collects files in order into one page, and says when it has enough. */
export class SearchCollector {
  readonly #query: SearchQuery
  readonly #matches: SearchMatch[] = []
  readonly #files: SearchFile[] = []
  /** Records of all files so far, also those before the offset and behind the limit. */
  #total = 0
  #matchingLines = 0
  #bytes = 2
  #outOfBytes = false

  constructor(query: SearchQuery) {
    this.#query = query
  }

  /** Whether one record more than the page holds is known, or no byte is left. */
  get enough(): boolean {
    return this.#outOfBytes || this.#total > this.#query.offset + this.#query.limit
  }

  /** How the records of a file are to be made before which others may still be added. */
  shapeFor(path: string): RecordShape {
    const { contextBefore, contextAfter, offset, limit, resultMode } = this.#query
    const linesWanted = resultMode === "matches"
    return {
      path,
      contextBefore: linesWanted ? contextBefore : 0,
      contextAfter: linesWanted ? contextAfter : 0,
      keepFrom: 0,
      keepTo: linesWanted ? Math.max(0, offset + limit - this.#total) : 0,
    }
  }

  /** As `shapeFor`, for a file that is the next one for certain: records before the offset are not even kept. */
  exactShapeFor(path: string): RecordShape {
    return { ...this.shapeFor(path), keepFrom: Math.max(0, this.#query.offset - this.#total) }
  }

  /** Adds a file that is no binary. */
  add(file: FileRecords, keptFrom: number): void {
    if (file.count === 0 || this.enough) return
    this.#matchingLines += file.count
    if (this.#query.resultMode === "matches") this.#addMatches(file, keptFrom)
    else this.#addFile(file)
  }

  /** The page; `timedOut` when files may be left. */
  finish(timedOut: boolean): CollectedPage {
    const { resultMode, offset } = this.#query
    const returned = resultMode === "matches" ? this.#matches.length : this.#files.length
    const truncated = this.#reason(timedOut)
    const next = offset + returned
    return {
      ...(resultMode === "matches" ? { matches: this.#matches } : { files: this.#files }),
      returned,
      complete: truncated === undefined,
      ...(truncated === undefined ? {} : { truncation_reason: truncated }),
      ...(truncated !== undefined && returned > 0 && next <= MAX_OFFSET ? { next_offset: next } : {}),
      ...(resultMode === "count" && truncated === undefined ? { total_matches: this.#matchingLines } : {}),
    }
  }

  #reason(timedOut: boolean): TruncationReason | undefined {
    if (this.#outOfBytes) return "output_bytes"
    if (this.#total > this.#query.offset + this.#query.limit) return "limit"
    return timedOut ? "timeout" : undefined
  }

  #addMatches(file: FileRecords, keptFrom: number): void {
    const { offset, limit } = this.#query
    for (const [index, match] of file.records().entries()) {
      const position = this.#total + keptFrom + index
      if (position >= offset && position < offset + limit && !this.#put(this.#matches, this.#fitted(match))) return
    }
    this.#total += file.count
  }

  #addFile(file: FileRecords): void {
    const { offset, limit, resultMode } = this.#query
    const record = { path: file.path, ...(resultMode === "count" ? { match_count: file.count } : {}) }
    if (this.#total >= offset && this.#total < offset + limit && !this.#put(this.#files, record)) return
    this.#total += 1
  }

  /** A first record that is larger than the page loses its context, so that every page advances. */
  #fitted(match: SearchMatch): SearchMatch {
    return this.#matches.length === 0 && bytesOf(match) > this.#query.maxBytes ? withoutContext(match) : match
  }

  #put<R>(records: R[], record: R): boolean {
    const bytes = bytesOf(record)
    if (records.length > 0 && this.#bytes + bytes > this.#query.maxBytes) {
      this.#outOfBytes = true
      return false
    }
    records.push(record)
    this.#bytes += bytes
    return true
  }
}
