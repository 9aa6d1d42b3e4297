import {
  detectForm,
  type StreamDecoder,
  streamDecoder,
  type TextEncoding,
  type TextForm,
  unitBytes,
} from "./encodings.ts"
import type { ByteSink } from "./fs.ts"
import { createLineCounter, type LineCounter, type NewlineStyle } from "./lines.ts"
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
  /** Bound of the page's text, UTF-8 bytes. */
  readonly maxBytes: number
}

/** A page with the facts of the whole file. */
export interface TextFile {
  readonly binary: false
  readonly encoding: TextEncoding
  readonly bom: boolean
  readonly newline: NewlineStyle
  readonly totalLines: number
  readonly page: Page
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
    if (this.lines.full) return
    if (this.reached) this.lines.add(this.decoder.write(bytes))
    else if (start !== undefined) {
      this.reached = true
      this.lines.add(this.decoder.write(bytes.subarray(start)))
    }
  }

  end(): TextFile {
    if (this.reached && !this.lines.full) this.lines.add(this.decoder.end())
    const { newline, totalLines } = this.counter.end()
    const { encoding, bomBytes } = this.form
    return { binary: false, encoding, bom: bomBytes > 0, newline, totalLines, page: this.lines.end() }
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
