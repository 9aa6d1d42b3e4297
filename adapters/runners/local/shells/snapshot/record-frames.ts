import type { Dialect } from "../../../../../core/shells/record.ts"
import { BEGIN, recordSections } from "./record-sections.ts"
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

/** `isKnown`: only records of these tokens count; what else is written into the FIFO is dropped. */
export function createRecordFrames(dialect: Dialect, isKnown: (token: string) => boolean): RecordFrames {
  const names = recordSections(dialect).map(({ name }) => name)
  const last = names.at(-1) ?? BEGIN
  const chunks: ByteText[] = []
  let size = 0
  let tail = ""

  function take(): readonly RecordFrame[] {
    let text = chunks.join("")
    const frames: RecordFrame[] = []
    for (;;) {
      const next = nextFrame(text)
      if (next === undefined) break
      if (next.frame !== undefined) frames.push(next.frame)
      text = text.slice(next.end)
    }
    chunks.length = 0
    if (text.length <= MAX_BYTES) chunks.push(text)
    size = chunks.length === 0 ? 0 : text.length
    return frames
  }

  /** Up to the first end of a record that is known; without its parts where one is missing. */
  function nextFrame(text: ByteText): { readonly frame?: RecordFrame; readonly end: number } | undefined {
    for (const match of text.matchAll(new RegExp(`([0-9a-f]{32}) ${last}\n`, "g"))) {
      const [line, token = ""] = match
      if (!isKnown(token)) continue
      const frame = frameOf(text.slice(0, match.index + line.length), token)
      return { ...(frame === undefined ? {} : { frame }), end: match.index + line.length }
    }
    return undefined
  }

  function frameOf(text: ByteText, token: string): RecordFrame | undefined {
    let at = endOf(text, `${token} ${BEGIN}\n`, 0)
    const sections = new Map<string, ByteText>()
    for (const name of names) {
      const mark = `${token} ${name}\n`
      const end = at === undefined ? undefined : endOf(text, mark, at)
      if (at === undefined || end === undefined) return undefined
      sections.set(name, text.slice(at, end - mark.length))
      at = end
    }
    return { token, sections }
  }

  return {
    push(chunk) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1")
      chunks.push(text)
      size += text.length
      // Only where an end can have come is the whole looked at.
      const seam = tail + text
      tail = seam.slice(-(last.length + 1))
      return seam.includes(` ${last}\n`) || size > MAX_BYTES ? take() : []
    },
  }
}

function endOf(text: ByteText, mark: string, from: number): number | undefined {
  const at = text.indexOf(mark, from)
  return at === -1 ? undefined : at + mark.length
}
