import { BEGIN } from "./record-sections.ts"
import type { ByteText } from "./types.ts"

/** One record as it came: what each section wrote. */
export interface RecordFrame {
  readonly token: string
  /** By section name; every section of the dialect is there. */
  readonly sections: ReadonlyMap<string, ByteText>
}

/** Cuts what comes out of the FIFO into whole records. */
export interface RecordFrames {
  push(chunk: Uint8Array): readonly RecordFrame[]
}

/** A record larger than this is dropped: no state worth keeping is. */
const MAX_BYTES = 16 * 1_048_576

/**
 * `sectionsOf`: names of the parts of a record with this token, `undefined` for one that does not count; what else is
 * written into the FIFO is dropped.
 */
export function createRecordFrames(sectionsOf: (token: string) => readonly string[] | undefined): RecordFrames {
  const chunks: ByteText[] = []
  let size = 0
  let tail = ""

  function take(): readonly RecordFrame[] {
    let text = chunks.join("")
    const frames: RecordFrame[] = []
    for (let next = nextFrame(text); next !== undefined; next = nextFrame(text)) {
      if (next.frame !== undefined) frames.push(next.frame)
      text = text.slice(next.end)
    }
    chunks.length = 0
    if (text.length <= MAX_BYTES) chunks.push(text)
    size = chunks.length === 0 ? 0 : text.length
    return frames
  }

  /** Up to the first end of a record that counts; without its parts where one is missing. */
  function nextFrame(text: ByteText): { readonly frame?: RecordFrame; readonly end: number } | undefined {
    for (const { 0: line, 1: token = "", 2: name, index } of text.matchAll(MARK)) {
      const names = sectionsOf(token)
      if (names === undefined || names.at(-1) !== name) continue
      const end = index + line.length
      const sections = cut(text.slice(0, end), token, names)
      return { ...(sections === undefined ? {} : { frame: { token, sections } }), end }
    }
    return undefined
  }

  return {
    push(chunk) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1")
      chunks.push(text)
      size += text.length
      // Only where an end can have come is the whole looked at.
      const seam = tail + text
      tail = seam.slice(-SEAM)
      return ENDS.test(seam) || size > MAX_BYTES ? take() : []
    },
  }
}

const MARK = /([0-9a-f]{32}) (\w+)\n/g
/** Last lines of records, and how many bytes of one can stand in the chunk before. */
const ENDS = / (?:disabled|traps)\n/
const SEAM = 10

function cut(text: ByteText, token: string, names: readonly string[]): ReadonlyMap<string, ByteText> | undefined {
  let at = endOf(text, `${token} ${BEGIN}\n`, 0)
  const sections = new Map<string, ByteText>()
  for (const name of names) {
    const mark = `${token} ${name}\n`
    const end = at === undefined ? undefined : endOf(text, mark, at)
    if (at === undefined || end === undefined) return undefined
    sections.set(name, text.slice(at, end - mark.length))
    at = end
  }
  return sections
}

function endOf(text: ByteText, mark: string, from: number): number | undefined {
  const at = text.indexOf(mark, from)
  return at === -1 ? undefined : at + mark.length
}
