import type { StreamedText } from "./encodings.ts"
import { utf8Length } from "./utf8.ts"

/** Where the next page starts. */
export interface PageStart {
  readonly start_line: number
  /** Code points into that line. */
  readonly start_char: number
}

/** One page of a text; pages concatenate to exactly the decoded file. */
export interface Page {
  readonly text: string
  readonly startLine: number
  /** Last line that the page holds or begins; `startLine` − 1 when it is empty. */
  readonly endLine: number
  readonly next?: PageStart
  /** The last line was longer than the page and is continued by `next`. */
  readonly lineCut: boolean
  readonly lossy: boolean
  readonly invalidBytes: number
  /** Its lines as they stand, without numbers. */
  readonly rawLines: readonly string[]
  /** UTF-16 units between the begin of the first line and that of the page. */
  readonly skippedUnits: number
}

/** What a page may hold. */
export interface PageBounds {
  readonly startLine: number
  readonly limit: number
  readonly startChar: number
  readonly numbered: boolean
  readonly maxBytes: number
}

/** Collects decoded text into a page. */
export interface PageLines {
  /** Nothing more fits, so nothing more need be decoded. */
  readonly full: boolean
  add(part: StreamedText): void
  end(): Page
}

/** The longest begin of `text` within `maxBytes` of UTF-8, cut between code points. */
export function prefixWithin(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += utf8Length(character)
    if (bytes > maxBytes) break
    end += character.length
  }
  return text.slice(0, end)
}

const countCodePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

const REPLACED = /\uFFFD/g

class LineCollector implements PageLines {
  full = false
  private readonly bounds: PageBounds
  private readonly done: string[] = []
  private readonly raw: string[] = []
  private skippedUnits = 0
  private doneBytes = 0
  private open = ""
  private openBytes = 0
  private toSkip: number
  private more = false
  private cutChars: number | undefined
  private invalidShown = 0
  private countsInvalid = false
  private lossy = false

  constructor(bounds: PageBounds) {
    this.bounds = bounds
    this.toSkip = bounds.startChar
  }

  private get line(): number {
    return this.bounds.startLine + this.done.length
  }

  private get prefix(): string {
    return this.bounds.numbered ? `${this.line}\t` : ""
  }

  add(part: StreamedText): void {
    this.countsInvalid ||= part.invalidBytes > 0
    this.lossy ||= part.lossy
    let from = 0
    while (from < part.text.length && !this.full) {
      if (this.done.length === this.bounds.limit) {
        this.stop()
        return
      }
      const lf = part.text.indexOf("\n", from)
      const to = lf < 0 ? part.text.length : lf + 1
      this.extend(part.text.slice(from, to), lf >= 0)
      from = to
    }
  }

  private extend(text: string, ends: boolean): void {
    const wanted = this.skip(text, ends)
    this.open += wanted
    this.openBytes += utf8Length(wanted)
    const room = this.bounds.maxBytes - this.doneBytes - this.prefix.length
    if (this.openBytes > room) this.cut(room)
    else if (ends) this.close()
  }

  private skip(text: string, ends: boolean): string {
    if (this.toSkip === 0) return text
    let end = 0
    for (const character of text) {
      if (this.toSkip === 0) break
      this.toSkip -= 1
      end += character.length
    }
    if (ends) this.toSkip = 0
    this.skippedUnits += end
    return text.slice(end)
  }

  private close(): void {
    const line = this.prefix + this.open
    this.done.push(line)
    this.raw.push(this.open)
    this.doneBytes += this.openBytes + line.length - this.open.length
    this.open = ""
    this.openBytes = 0
  }

  private cut(room: number): void {
    if (this.done.length === 0) {
      const kept = prefixWithin(this.open, room)
      this.cutChars = countCodePoints(kept)
      this.open = kept
      this.close()
    }
    this.open = ""
    this.stop()
  }

  private stop(): void {
    this.full = true
    this.more = true
  }

  private next(): PageStart | undefined {
    if (!this.more) return undefined
    if (this.cutChars === undefined) return { start_line: this.line, start_char: 0 }
    const { startLine, startChar } = this.bounds
    return { start_line: startLine, start_char: startChar + this.cutChars }
  }

  end(): Page {
    if (this.open !== "") this.close()
    const text = this.done.join("")
    this.invalidShown = this.countsInvalid ? (text.match(REPLACED)?.length ?? 0) : 0
    const next = this.next()
    return {
      text,
      startLine: this.bounds.startLine,
      endLine: this.line - 1,
      ...(next === undefined ? {} : { next }),
      lineCut: this.cutChars !== undefined,
      lossy: this.lossy && text.includes("\uFFFD"),
      invalidBytes: this.invalidShown,
      rawLines: this.raw,
      skippedUnits: this.skippedUnits,
    }
  }
}

/** An empty page to be filled from the begin of `bounds.startLine` on. */
export function createPageLines(bounds: PageBounds): PageLines {
  return new LineCollector(bounds)
}
