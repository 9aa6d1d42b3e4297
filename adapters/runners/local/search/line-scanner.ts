import { TextDecoder } from "node:util"
import type { ByteSink } from "../../../../core/files/fs.ts"
import type { LinePattern } from "../../../../core/files/search/pattern.ts"
import { FileRecords, type RecordShape } from "../../../../core/files/search/records.ts"

const LF = 10
const EMPTY = Buffer.alloc(0)
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** What scanning one file came to; undefined records mean that it is binary. */
export type Scanned = FileRecords | undefined

type Encoding = "utf-8" | "utf-16le" | "utf-16be"

function encodingOf(start: Buffer): Encoding {
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le"
  return start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : "utf-8"
}

/** Finds the matching lines of one file, chunk by chunk; a NUL anywhere makes the file binary. */
export class LineScanner implements ByteSink<Scanned> {
  readonly #pattern: LinePattern
  readonly #records: FileRecords
  readonly #wantsContext: boolean
  readonly #required: Buffer | undefined
  #head: Buffer | undefined = EMPTY
  #decoder: TextDecoder | undefined
  #rest = EMPTY
  #line = 0
  #binary = false

  constructor(pattern: LinePattern, shape: RecordShape) {
    this.#pattern = pattern
    this.#records = new FileRecords(shape)
    this.#wantsContext = shape.contextBefore > 0 || shape.contextAfter > 0
    this.#required = pattern.required === undefined ? undefined : Buffer.from(pattern.required)
  }

  push(chunk: Uint8Array): void {
    if (this.#binary) return
    if (this.#head === undefined) {
      this.#decoded(Buffer.from(chunk))
      return
    }
    const start = Buffer.concat([this.#head, chunk])
    this.#head = start
    if (start.length >= UTF8_BOM.length) this.#begin(start)
  }

  end(): Scanned {
    if (this.#head !== undefined) this.#begin(this.#head)
    if (this.#decoder !== undefined) this.#bytes(Buffer.from(this.#decoder.decode()))
    if (this.#rest.length > 0) this.#oneLine(this.#rest, "")
    return this.#binary ? undefined : this.#records
  }

  #begin(start: Buffer): void {
    this.#head = undefined
    const encoding = encodingOf(start)
    if (encoding !== "utf-8") this.#decoder = new TextDecoder(encoding)
    this.#decoded(encoding === "utf-8" && start.subarray(0, 3).equals(UTF8_BOM) ? start.subarray(3) : start)
  }

  #decoded(chunk: Buffer): void {
    this.#bytes(this.#decoder === undefined ? chunk : Buffer.from(this.#decoder.decode(chunk, { stream: true })))
  }

  #bytes(chunk: Buffer): void {
    if (chunk.includes(0)) {
      this.#binary = true
      return
    }
    const last = chunk.lastIndexOf(LF)
    if (last < 0) {
      this.#rest = Buffer.concat([this.#rest, chunk])
      return
    }
    const whole = Buffer.concat([this.#rest, chunk.subarray(0, last + 1)])
    this.#rest = Buffer.from(chunk.subarray(last + 1))
    if (this.#canSkip(whole)) this.#skip(whole)
    else this.#lines(whole)
  }

  /** Whether no line of the block can match or be context. */
  #canSkip(block: Buffer): boolean {
    return !this.#wantsContext && this.#required !== undefined && block.indexOf(this.#required) < 0
  }

  #skip(block: Buffer): void {
    for (let at = block.indexOf(LF); at >= 0; at = block.indexOf(LF, at + 1)) this.#line += 1
  }

  #lines(block: Buffer): void {
    let from = 0
    for (let at = block.indexOf(LF); at >= 0; at = block.indexOf(LF, from)) {
      this.#oneLine(block.subarray(from, at), "\n")
      from = at + 1
    }
  }

  #oneLine(bytes: Buffer, newline: "" | "\n"): void {
    this.#line += 1
    if (this.#canSkip(bytes)) return
    const text = bytes.toString("utf8")
    const at = this.#pattern.find(text)
    if (at >= 0) this.#records.add(this.#line, text + newline, at)
    else if (this.#wantsContext) this.#records.add(this.#line, text + newline)
  }
}
