import type { LogQuery } from "./log-query.ts"
import { textOf } from "./output/text-view.ts"
import { characterLength, characterStart, isContinuation, wholeCharacters } from "./output/utf8.ts"

/** Bytes as they are shown, and how many of them. */
export interface ShownBytes {
  readonly content: { readonly text: string } | { readonly base64: string }
  readonly bytes: number
}

/** How bytes are shown, and how much of the reply they may take (serialised JSON characters). */
export interface Showing extends Pick<LogQuery, "view" | "encoding"> {
  readonly maxChars: number
  /** Nothing will ever follow these bytes: a sequence they break off is broken. */
  readonly final: boolean
  /** Where a page may end: anywhere between characters, or only after a line. */
  readonly cut: "character" | "line"
}

const LINE_FEED = 10
const SMALLEST = 4

/**
 * The longest beginning of `bytes`, up to `maxBytes`, that fits: a text never ends inside a UTF-8 character and holds at
 * least one, even if that is longer than `maxBytes` (spec exec-and-jobs.md §7.2). A page cut at lines ends within a line
 * only where that line alone is too long.
 */
export function showBytes(bytes: Uint8Array, maxBytes: number, showing: Showing): ShownBytes {
  let size = cutAt(bytes, Math.min(maxBytes, bytes.length), { ...showing, cut: "character" })
  for (;;) {
    const content = render(bytes.subarray(0, size), showing)
    const length = JSON.stringify(content).length
    if (length <= showing.maxChars || size <= SMALLEST) return { content, bytes: size }
    const wanted = Math.max(SMALLEST, Math.min(size - 1, Math.floor((size * showing.maxChars) / length)))
    size = cutAt(bytes, wanted, showing)
  }
}

function render(bytes: Uint8Array, { view, encoding }: Showing): ShownBytes["content"] {
  return encoding === "base64"
    ? { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64") }
    : { text: textOf(bytes, view).text }
}

function cutAt(bytes: Uint8Array, size: number, { cut, encoding, final }: Showing): number {
  if (encoding === "base64") return size
  const newline = cut === "line" ? bytes.subarray(0, size).lastIndexOf(LINE_FEED) + 1 : 0
  if (newline > 0) return newline
  const end = characterStart(bytes, size)
  if (end > 0) return end === bytes.length ? ended(bytes, final) : end
  const first = Math.min(characterLength(bytes[0] ?? 0), bytes.length)
  return first === bytes.length ? ended(bytes, final) : first
}

/** Where the first whole character begins; 0 in bytes that are no UTF-8. */
export function firstCharacter(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => !isContinuation(byte))
  return Math.max(0, first)
}

function ended(bytes: Uint8Array, final: boolean): number {
  return final ? bytes.length : wholeCharacters(bytes)
}
