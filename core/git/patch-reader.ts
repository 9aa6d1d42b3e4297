import type { RawEntry } from "./raw.ts"
import { parseRaw } from "./raw.ts"

/** Takes what a patch stream holds, in order. A method that answers false has enough: nothing more is told. */
export interface PatchSink {
  file(entry: RawEntry): boolean
  binary(): void
  hunk(start: HunkStart): boolean
  /** One line of the open hunk with its first character; `cut` when it was longer than `MAX_LINE_BYTES`. */
  line(text: string, cut: boolean): boolean
  /** The open file has no more lines. */
  fileEnd(): boolean
}

/** The numbers of a hunk's header. */
export interface HunkStart {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
}

/** Bytes of one line that are kept; the rest of it is dropped with a sign. */
export const MAX_LINE_BYTES = 3000

const NUL = 0
const LF = 10
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
}

/** A name as git writes it into a patch header with `core.quotePath=false`. */
function quoted(name: string): string {
  let changed = false
  const body = [...name]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0
      const escaped =
        ESCAPES[character] ?? (code < 32 || code === 127 ? `\\${code.toString(8).padStart(3, "0")}` : undefined)
      if (escaped !== undefined) changed = true
      return escaped ?? character
    })
    .join("")
  return changed ? `"${body}"` : name
}

const headerOf = (entry: RawEntry): string =>
  `diff --git ${quoted(`a/${entry.oldPath ?? entry.path}`)} ${quoted(`b/${entry.path}`)}`

/**
 * Reads the bytes of `git diff --patch-with-raw -z --src-prefix=a/ --dst-prefix=b/` with `core.quotePath=false` as they
 * come. Names are taken from the raw part only; a header merely says which of them comes next.
 */
export class PatchReader {
  readonly #sink: PatchSink
  readonly #decoder = new TextDecoder()
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #raw: string | undefined = ""
  #rawExpects = 0
  #entries: readonly RawEntry[] = []
  #next = 0
  #inFile = false
  #inHunk = false
  #open = true

  constructor(sink: PatchSink) {
    this.#sink = sink
  }

  /** False once the sink has enough. */
  push(chunk: Uint8Array): boolean {
    let from = 0
    while (this.#open && from < chunk.length) {
      const separator = this.#raw === undefined ? LF : NUL
      const found = chunk.indexOf(separator, from)
      const to = found < 0 ? chunk.length : found
      this.#keep(chunk.subarray(from, to))
      from = to + 1
      if (found >= 0) this.#unit()
    }
    return this.#open
  }

  /** The stream is over. */
  end(): void {
    if (this.#open && this.#pendingBytes > 0) this.#unit()
    if (this.#open) this.#closeFile()
  }

  #keep(part: Uint8Array): void {
    const room = this.#raw === undefined ? Math.max(0, MAX_LINE_BYTES - this.#pendingBytes) : part.length
    if (room > 0 && part.length > 0) this.#pending.push(part.slice(0, room))
    this.#pendingBytes += part.length
  }

  #take(): { readonly text: string; readonly cut: boolean } {
    const cut = this.#raw === undefined && this.#pendingBytes > MAX_LINE_BYTES
    const bytes = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
    const text = this.#decoder.decode(bytes)
    return { text: cut ? text.replace(/\uFFFD{1,3}$/, "") : text, cut }
  }

  #unit(): void {
    const { text, cut } = this.#take()
    if (this.#raw === undefined) this.#patchLine(text, cut)
    else this.#rawPart(this.#raw, text)
  }

  #rawPart(raw: string, text: string): void {
    if (this.#rawExpects > 0) this.#rawExpects -= 1
    else if (text.startsWith(":")) this.#rawExpects = / [RC]\d*$/.test(text) ? 2 : 1
    else {
      this.#entries = parseRaw(raw)
      this.#raw = undefined
      if (text !== "") this.#patchLine(text, false)
      return
    }
    this.#raw = `${raw}${text}\0`
  }

  #patchLine(text: string, cut: boolean): void {
    if (this.#inHunk && /^[ +\-\\]/.test(text)) {
      this.#open = this.#sink.line(text, cut)
      return
    }
    const hunk = this.#inFile ? HUNK.exec(text) : null
    if (hunk !== null) {
      this.#inHunk = true
      this.#open = this.#sink.hunk(hunkStart(hunk))
    } else if (text.startsWith("diff --git ")) this.#openFile(text)
    else if (this.#inFile && (text.startsWith("Binary files ") || text.startsWith("GIT binary patch"))) {
      this.#sink.binary()
    }
  }

  #openFile(header: string): void {
    if (!this.#closeFile()) return
    const index = this.#entries.findIndex((entry, at) => at >= this.#next && headerOf(entry) === header)
    const entry = this.#entries[index]
    if (entry === undefined) return
    this.#next = index + 1
    this.#inFile = true
    this.#open = this.#sink.file(entry)
  }

  #closeFile(): boolean {
    if (this.#inFile) this.#open = this.#sink.fileEnd()
    this.#inFile = false
    this.#inHunk = false
    return this.#open
  }
}

const hunkStart = (match: RegExpExecArray): HunkStart => ({
  oldStart: Number(match[1]),
  oldLines: Number(match[2] ?? 1),
  newStart: Number(match[3]),
  newLines: Number(match[4] ?? 1),
})
