import type { ChangeEntry } from "./change-list.ts"
import type { DiffFile, DiffHunk, DiffPosition } from "./diff.ts"
import { jsonBytes as bytesOf, cutLine } from "./line-cut.ts"
import { type HunkStart, MAX_LINE_BYTES, type PatchSink } from "./patch-reader.ts"
import type { RawEntry } from "./raw.ts"

/** What a page came to. */
export interface BuiltPage {
  readonly files: readonly DiffFile[]
  /** Where the next page starts; absent when nothing follows. */
  readonly next?: DiffPosition
  /** Path whose lines were not all seen, so that its counts have to be asked for. */
  readonly uncounted?: string
}

interface OpenHunk {
  readonly start: HunkStart
  readonly lines: string[]
  /** Lines of this hunk already shown on an earlier page. */
  skip: number
  /** Lines seen in all, shown before or not. */
  seen: number
  oldAt: number
  newAt: number
  bytes: number
  lineCut: boolean
}

interface OpenFile {
  readonly entry: number
  readonly raw: RawEntry
  readonly hunks: DiffHunk[]
  insertions: number
  deletions: number
  hunk: number
  binary: boolean
}

const HUNK_BYTES = 136
const COUNT_BYTES = 80
/** A line is never cut shorter than this, as JSON. */
const SHORTEST_LINE_BYTES = 64

/**
 * Fills one page from a stream of patches (files-and-git.md §5.2): pages split between hunks; a hunk that is larger
 * than a page is cut between lines. Entries that have no patch are put where the list has them.
 */
export class DiffPageBuilder implements PatchSink {
  readonly #list: readonly ChangeEntry[]
  readonly #closed: ReadonlyMap<string, DiffFile>
  readonly #indexOf: ReadonlyMap<string, number>
  readonly #start: DiffPosition
  readonly #limit: number
  readonly #files: DiffFile[] = []
  #bytes = 2
  /** Bytes of the open file without its hunks. */
  #fileBytes = 0
  #at: number
  #file: OpenFile | undefined
  #hunk: OpenHunk | undefined
  #next: DiffPosition | undefined
  #uncounted: string | undefined

  /**
   * @param list All entries of the comparison.
   * @param closed Entries that are shown without hunks, by path.
   */
  constructor(
    list: readonly ChangeEntry[],
    closed: ReadonlyMap<string, DiffFile>,
    options: { readonly start: DiffPosition; readonly maxBytes: number },
  ) {
    this.#list = list
    this.#closed = closed
    this.#indexOf = new Map(list.map((entry, index) => [entry.path, index]))
    this.#start = options.start
    this.#limit = options.maxBytes
    this.#at = options.start.entry
  }

  /** Whether the page can take no more. */
  get full(): boolean {
    return this.#next !== undefined
  }

  /** Puts the entries without patch that come before `entry`; false when the page is full. */
  advanceTo(entry: number): boolean {
    while (this.#at < entry && !this.full) {
      const closed = this.#closed.get(this.#list[this.#at]?.path ?? "")
      if (closed !== undefined && !this.#put(closed, this.#at)) return false
      this.#at += 1
    }
    return !this.full
  }

  file(raw: RawEntry): boolean {
    const entry = this.#indexOf.get(raw.path)
    if (entry === undefined || entry < this.#at || this.#closed.has(raw.path)) return true
    if (!this.advanceTo(entry)) return false
    this.#file = { entry, raw, hunks: [], insertions: 0, deletions: 0, hunk: -1, binary: false }
    this.#fileBytes = bytesOf(this.#describe(this.#file)) + COUNT_BYTES
    this.#bytes += this.#fileBytes
    return this.#bytes <= this.#limit || this.#files.length === 0 || this.#stop({ entry, hunk: 0, line: 0 })
  }

  binary(): void {
    if (this.#file !== undefined) this.#file.binary = true
  }

  hunk(start: HunkStart): boolean {
    const file = this.#file
    if (file === undefined) return true
    if (!this.#endHunk()) return false
    file.hunk += 1
    const resumed = file.entry === this.#start.entry
    const skip = resumed && file.hunk === this.#start.hunk ? this.#start.line : 0
    const done = resumed && file.hunk < this.#start.hunk
    this.#hunk = {
      start,
      lines: [],
      skip: done ? Number.POSITIVE_INFINITY : skip,
      seen: 0,
      oldAt: start.oldStart,
      newAt: start.newStart,
      bytes: HUNK_BYTES,
      lineCut: false,
    }
    return true
  }

  line(text: string, cut: boolean): boolean {
    const file = this.#file
    const hunk = this.#hunk
    if (file === undefined || hunk === undefined) return true
    if (text.startsWith("+")) file.insertions += 1
    if (text.startsWith("-")) file.deletions += 1
    hunk.seen += 1
    if (hunk.seen <= hunk.skip) {
      if (hunk.start.oldLines > 0 && /^[ -]/.test(text)) hunk.oldAt += 1
      if (hunk.start.newLines > 0 && /^[ +]/.test(text)) hunk.newAt += 1
      return true
    }
    // What is left for a line on an empty page; a longer one fits no page and is shown in part.
    const room = Math.max(SHORTEST_LINE_BYTES, this.#limit - this.#fileBytes - HUNK_BYTES)
    const shown = cutLine(text, Math.min(MAX_LINE_BYTES, room))
    const bytes = bytesOf(shown)
    if (this.#bytes + hunk.bytes + bytes > this.#limit && !this.#mayOverflow(file, hunk)) return this.#cutAt(file, hunk)
    hunk.lines.push(shown)
    hunk.bytes += bytes
    hunk.lineCut ||= cut || shown !== text
    return true
  }

  fileEnd(): boolean {
    const file = this.#file
    if (file === undefined) return true
    if (!this.#endHunk()) return false
    this.#commit(file, true)
    this.#at = file.entry + 1
    return !this.full
  }

  /** Puts one whole file that has no patch stream, such as an untracked one; false when the page is full before it. */
  whole(
    entry: number,
    file: DiffFile,
    hunk: { readonly start: HunkStart; readonly lines: readonly string[] } | undefined,
  ): boolean {
    if (!this.advanceTo(entry)) return false
    if (hunk === undefined) {
      const placed = this.#put(file, entry)
      if (placed) this.#at = entry + 1
      return placed
    }
    const raw: RawEntry = { path: file.path, status: file.status, oldMode: "000000", newMode: "000000" }
    return (
      this.file(raw) && this.hunk(hunk.start) && hunk.lines.every((line) => this.line(line, false)) && this.fileEnd()
    )
  }

  /** The page, when no more is going to come before list entry `end`. */
  build(end: number): BuiltPage {
    this.advanceTo(end)
    const rest = this.#next ?? (end < this.#list.length ? { entry: end, hunk: 0, line: 0 } : undefined)
    return {
      files: this.#files,
      ...(rest === undefined ? {} : { next: rest }),
      ...(this.#uncounted === undefined ? {} : { uncounted: this.#uncounted }),
    }
  }

  /** Only the first line of a page may be larger than the page, so that every page advances. */
  #mayOverflow(file: OpenFile, hunk: OpenHunk): boolean {
    return this.#files.length === 0 && file.hunks.length === 0 && hunk.lines.length === 0
  }

  #cutAt(file: OpenFile, hunk: OpenHunk): boolean {
    const isFirst = this.#files.length === 0 && file.hunks.length === 0
    if (!isFirst) return this.#stopInFile(file, { entry: file.entry, hunk: file.hunk, line: hunk.skip })
    this.#keepHunk(file, hunk, true)
    return this.#stopInFile(file, { entry: file.entry, hunk: file.hunk, line: hunk.seen - 1 })
  }

  #stopInFile(file: OpenFile, next: DiffPosition): boolean {
    this.#hunk = undefined
    if (file.hunks.length > 0) {
      this.#uncounted = file.raw.path
      this.#commit(file, false)
    }
    return this.#stop(next)
  }

  #stop(next: DiffPosition): boolean {
    this.#file = undefined
    this.#hunk = undefined
    this.#next = next
    return false
  }

  #endHunk(): boolean {
    const file = this.#file
    const hunk = this.#hunk
    this.#hunk = undefined
    if (file !== undefined && hunk !== undefined && hunk.lines.length > 0) this.#keepHunk(file, hunk, false)
    return true
  }

  #keepHunk(file: OpenFile, hunk: OpenHunk, cut: boolean): void {
    const count = (pattern: RegExp): number => hunk.lines.filter((line) => pattern.test(line)).length
    file.hunks.push({
      old_start: hunk.oldAt,
      old_lines: count(/^[ -]/),
      new_start: hunk.newAt,
      new_lines: count(/^[ +]/),
      lines: hunk.lines,
      ...(cut ? { cut: true } : {}),
      ...(hunk.lineCut ? { line_cut: true } : {}),
    })
    this.#bytes += hunk.bytes
  }

  #describe(file: OpenFile): DiffFile {
    const { raw } = file
    const listed = this.#list[file.entry]
    const modes = raw.oldMode !== raw.newMode && !raw.oldMode.startsWith("0000") && !raw.newMode.startsWith("0000")
    return {
      path: raw.path,
      ...(raw.oldPath === undefined ? {} : { old_path: raw.oldPath }),
      status: raw.status,
      ...(file.binary ? { binary: true } : {}),
      ...(modes ? { mode_change: { from: raw.oldMode, to: raw.newMode } } : {}),
      ...(listed?.submodule === true ? { submodule: true } : {}),
    }
  }

  #commit(file: OpenFile, counted: boolean): void {
    const counts = counted && !file.binary ? { insertions: file.insertions, deletions: file.deletions } : {}
    this.#files.push({
      ...this.#describe(file),
      ...counts,
      ...(file.hunks.length === 0 ? {} : { hunks: file.hunks }),
    })
    this.#file = undefined
  }

  #put(file: DiffFile, entry: number): boolean {
    const bytes = bytesOf(file)
    if (this.#bytes + bytes > this.#limit && this.#files.length > 0) return this.#stop({ entry, hunk: 0, line: 0 })
    this.#files.push(file)
    this.#bytes += bytes
    return true
  }
}
