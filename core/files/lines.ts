import { type TextEncoding, unitBytes } from "./encodings.ts"

/** Which line ends a text uses. */
export type NewlineStyle = "lf" | "crlf" | "mixed" | "none"

const LF = 0x0a
const CR = 0x0d

/** Counts lines over chunks of bytes; a chunk never splits a code unit. */
export interface LineCounter {
  /** Returns the offset in `bytes` right after the `wanted`-th line feed of the text, when it lies in this chunk. */
  push(bytes: Uint8Array, wanted: number): number | undefined
  end(): { readonly newline: NewlineStyle; readonly totalLines: number }
}

const styleOf = (lf: number, crlf: number): NewlineStyle => {
  if (lf === 0) return "none"
  return crlf === 0 ? "lf" : crlf === lf ? "crlf" : "mixed"
}

/** A counter for the text after the BOM. A line ends after LF; a non-empty rest counts as a line. */
export function createLineCounter(encoding: TextEncoding): LineCounter {
  const unit = unitBytes(encoding)
  const low = encoding === "utf16be" ? 1 : 0
  let lf = 0
  let crlf = 0
  let endsWithCr = false
  let endsOpen = false

  const isUnit = (bytes: Uint8Array, start: number, value: number): boolean =>
    start >= 0 && bytes[start + low] === value && (unit === 1 || bytes[start + 1 - low] === 0)

  return {
    push(bytes, wanted) {
      if (bytes.length === 0) return undefined
      let found: number | undefined
      for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
        const start = at - low
        if (unit === 2 && (start % 2 !== 0 || !isUnit(bytes, start, LF))) continue
        lf += 1
        if (start === 0 ? endsWithCr : isUnit(bytes, start - unit, CR)) crlf += 1
        if (lf === wanted) found = start + unit
      }
      const last = bytes.length - unit
      endsWithCr = isUnit(bytes, last, CR)
      endsOpen = !isUnit(bytes, last, LF)
      return found
    },
    end: () => ({ newline: styleOf(lf, crlf), totalLines: lf + (endsOpen ? 1 : 0) }),
  }
}
