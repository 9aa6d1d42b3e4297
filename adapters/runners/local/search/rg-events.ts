/** What ripgrep's `--json` says, as far as a search needs it. */
export type RgEvent =
  | { readonly type: "begin"; readonly path: string | undefined }
  | { readonly type: "line"; readonly line: number; readonly text: string; readonly matchAt: number | undefined }
  | { readonly type: "end"; readonly binary: boolean }
  | { readonly type: "summary" }

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

/** Text as ripgrep gives it: `{text}`, or `{bytes}` in base64 where it is not UTF-8. */
function bytesOf(value: unknown): { readonly text: string; readonly bytes: Buffer | undefined } {
  const text = memberOf(value, "text")
  if (typeof text === "string") return { text, bytes: undefined }
  const encoded = memberOf(value, "bytes")
  const bytes = Buffer.from(typeof encoded === "string" ? encoded : "", "base64")
  return { text: bytes.toString("utf8"), bytes }
}

/** UTF-16 index of a byte offset. */
function indexOfByte(line: { readonly text: string; readonly bytes: Buffer | undefined }, offset: number): number {
  const bytes = line.bytes ?? Buffer.from(line.text)
  return bytes.subarray(0, offset).toString("utf8").length
}

function lineEvent(data: unknown, isMatch: boolean): RgEvent {
  const line = bytesOf(memberOf(data, "lines"))
  const number = memberOf(data, "line_number")
  const submatches = memberOf(data, "submatches")
  const start = memberOf(Array.isArray(submatches) ? submatches[0] : undefined, "start")
  return {
    type: "line",
    line: typeof number === "number" ? number : 0,
    text: line.text,
    matchAt: isMatch ? indexOfByte(line, typeof start === "number" ? start : 0) : undefined,
  }
}

/** Reads one line of ripgrep's output; undefined for what a search does not need. */
export function parseRgEvent(line: string): RgEvent | undefined {
  const event: unknown = JSON.parse(line)
  const type = memberOf(event, "type")
  const data = memberOf(event, "data")
  if (type === "match" || type === "context") return lineEvent(data, type === "match")
  if (type === "begin") {
    const { text, bytes } = bytesOf(memberOf(data, "path"))
    return { type, path: bytes === undefined ? text : undefined }
  }
  if (type === "end") return { type, binary: typeof memberOf(data, "binary_offset") === "number" }
  return type === "summary" ? { type } : undefined
}

const LF = 10

/** Cuts a byte stream into lines. */
export class LineSplitter {
  readonly #maxBytes: number
  #parts: Uint8Array[] = []
  #bytes = 0

  /** @param maxBytes A longer line makes `push` throw a RangeError. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Hands on each line that is complete, until `onLine` answers false; false is then the answer here too. */
  push(chunk: Uint8Array, onLine: (line: string) => boolean): boolean {
    let from = 0
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      this.#keep(chunk.subarray(from, at))
      from = at + 1
      const line = Buffer.concat(this.#parts).toString("utf8")
      this.#parts = []
      this.#bytes = 0
      if (!onLine(line)) return false
    }
    this.#keep(chunk.slice(from))
    return true
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) throw new RangeError("line too long")
    if (part.length > 0) this.#parts.push(part)
  }
}
