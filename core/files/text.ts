import type { TextSpan } from "../kernel/redaction/text-spans.ts"
import {
  detectForm,
  type StreamDecoder,
  type StreamedText,
  streamDecoder,
  type TextEncoding,
  type TextForm,
  unitBytes,
} from "./encodings.ts"
import type { ByteSink } from "./fs.ts"
import { createLineCounter, type LineCounter, type NewlineStyle } from "./lines.ts"
import { LOOK_AHEAD, LOOK_BEHIND, type MaskedPage, maskPage } from "./mask-page.ts"
import { createPageLines, type Page, type PageLines } from "./page.ts"

/** Which part of a file is wanted. */
export interface PageRequest {
  /** First line, from 1. */
  readonly startLine: number
  /** Lines at most. */
  readonly limit: number
  /** Code points of the first line to leave out. */
  readonly startChar: number
  readonly encoding?: TextEncoding
  /** Prefix each line with its number and a tab. */
  readonly numbered: boolean
  /** Bound of the page's text before it is masked, UTF-8 bytes. */
  readonly maxBytes: number
  /** What of a text is masked; the text round the page takes part in the decision. */
  readonly spansOf?: (text: string) => readonly TextSpan[]
}

/** A page with the facts of the whole file. */
export interface TextFile {
  readonly binary: false
  readonly encoding: TextEncoding
  readonly bom: boolean
  readonly newline: NewlineStyle
  readonly totalLines: number
  readonly page: Page
  /** Secrets that have a part in the page. */
  readonly masks: number
}

/** What a pass over a file found: text, or bytes that are none. */
export type TextOutcome = TextFile | { readonly binary: true }

/** The pass over a text after its BOM: counts every line, decodes only the wanted part. */
class TextPass {
  readonly form: TextForm
  private readonly request: PageRequest
  private readonly counter: LineCounter
  private readonly decoder: StreamDecoder
  private readonly lines: PageLines
  private reached: boolean
  /** Last bytes before the first line of the page. */
  private behind: Uint8Array = new Uint8Array(0)
  /** Text from the first line of the page on, until enough lies behind its end. */
  private readonly fed: string[] = []
  private ahead = 0

  constructor(form: TextForm, request: PageRequest) {
    this.form = form
    this.request = request
    this.counter = createLineCounter(form.encoding)
    this.decoder = streamDecoder(form.encoding)
    this.lines = createPageLines(request)
    this.reached = request.startLine === 1
  }

  push(bytes: Uint8Array): void {
    const start = this.counter.push(bytes, this.request.startLine - 1)
    if (this.reached) this.feed(bytes)
    else if (start === undefined) this.remember(bytes)
    else {
      this.reached = true
      this.remember(bytes.subarray(0, start))
      this.feed(bytes.subarray(start))
    }
  }

  end(): TextFile {
    if (this.reached && this.wantsMore) this.add(this.decoder.end())
    const { newline, totalLines } = this.counter.end()
    const { encoding, bomBytes } = this.form
    const page = this.lines.end()
    const masked = this.masked(page)
    return {
      binary: false,
      encoding,
      bom: bomBytes > 0,
      newline,
      totalLines,
      page: masked === undefined ? page : { ...page, text: masked.text },
      masks: masked?.masks ?? 0,
    }
  }

  private get wantsMore(): boolean {
    return !this.lines.full || (this.request.spansOf !== undefined && this.ahead < LOOK_AHEAD)
  }

  private feed(bytes: Uint8Array): void {
    if (this.wantsMore) this.add(this.decoder.write(bytes))
  }

  private add(part: StreamedText): void {
    if (this.lines.full) this.ahead += part.text.length
    else this.lines.add(part)
    if (this.request.spansOf !== undefined) this.fed.push(part.text)
  }

  private remember(bytes: Uint8Array): void {
    if (this.request.spansOf === undefined) return
    const tail = bytes.subarray(Math.max(0, bytes.length - LOOK_BEHIND))
    const kept = this.behind.subarray(Math.max(0, this.behind.length + tail.length - LOOK_BEHIND))
    this.behind = Buffer.concat([kept, tail])
  }

  private masked(page: Page): MaskedPage | undefined {
    const { spansOf, startLine, numbered } = this.request
    if (spansOf === undefined || page.rawLines.length === 0) return undefined
    const decoder = streamDecoder(this.form.encoding)
    const before = decoder.write(this.behind).text + decoder.end().text
    const fed = this.fed.join("")
    const from = Math.max(0, page.skippedUnits - LOOK_BEHIND)
    const length = page.rawLines.reduce((sum, line) => sum + line.length, 0)
    const context = from > 0 ? "" : before
    const round = context + fed.slice(from, page.skippedUnits + length + LOOK_AHEAD)
    const base = context.length + page.skippedUnits - from
    const spans = spansOf(round)
    return spans.length === 0 ? undefined : maskPage({ lines: page.rawLines, startLine, numbered }, base, spans)
  }
}

/** Cuts chunks so that a two-byte code unit is never split. */
function aligner(unit: 1 | 2): { next(bytes: Uint8Array): Uint8Array; rest(): Uint8Array } {
  let odd: Uint8Array = new Uint8Array(0)
  return {
    next(bytes) {
      if (unit === 1) return bytes
      const joined = odd.length === 0 ? bytes : Buffer.concat([odd, bytes])
      const whole = joined.length - (joined.length % unit)
      odd = Uint8Array.from(joined.subarray(whole))
      return joined.subarray(0, whole)
    },
    rest: () => odd,
  }
}

/**
 * Reads one page of a file in one pass (files-and-git.md §2.1, §2.2).
 * @throws ToolError from `push`, as `detectForm`.
 */
export function createPageSink(request: PageRequest): ByteSink<TextOutcome> {
  let pass: TextPass | "binary" | undefined
  let align = aligner(1)
  const open = (head: Uint8Array): TextPass | "binary" => {
    const form = detectForm(head, request.encoding)
    if (form === "binary") return form
    align = aligner(unitBytes(form.encoding))
    return new TextPass(form, request)
  }
  return {
    push(chunk) {
      const first = pass === undefined
      pass ??= open(chunk)
      if (pass !== "binary") pass.push(align.next(first ? chunk.subarray(pass.form.bomBytes) : chunk))
    },
    end() {
      pass ??= open(new Uint8Array(0))
      if (pass === "binary") return { binary: true }
      if (align.rest().length > 0) pass.push(align.rest())
      return pass.end()
    },
  }
}
