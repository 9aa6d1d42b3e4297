import { decode, type Encoding, encode, getDecoder } from "iconv-lite"
import { ToolError } from "../kernel/error.ts"
import { decodeUtf8, incompleteTail, utf8Bytes } from "./utf8.ts"

/** Every text encoding that files are read and edited in (files-and-git.md §2.1). */
export const TEXT_ENCODINGS = [
  "utf8",
  "utf16le",
  "utf16be",
  "latin1",
  "windows1252",
  "windows1251",
  "koi8_r",
  "shift_jis",
  "euc_jp",
  "gb18030",
  "big5",
  "euc_kr",
] as const

/** One of `TEXT_ENCODINGS`. */
export type TextEncoding = (typeof TEXT_ENCODINGS)[number]

type Legacy = Exclude<TextEncoding, "utf8">

const CODEC: Readonly<Record<Legacy, Encoding>> = {
  utf16le: "utf16le",
  utf16be: "utf16be",
  latin1: "latin1",
  windows1252: "windows1252",
  windows1251: "windows1251",
  koi8_r: "koi8r",
  shift_jis: "shiftjis",
  euc_jp: "eucjp",
  gb18030: "gb18030",
  big5: "big5",
  euc_kr: "euckr",
}

const BOMS: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ["utf8", [0xef, 0xbb, 0xbf]],
  ["utf16le", [0xff, 0xfe]],
  ["utf16be", [0xfe, 0xff]],
]
const UTF32_BOMS: readonly (readonly number[])[] = [
  [0xff, 0xfe, 0, 0],
  [0, 0, 0xfe, 0xff],
]
const BINARY_PROBE_BYTES = 8000

/** How a file's bytes become text. */
export interface TextForm {
  readonly encoding: TextEncoding
  /** Length of the byte-order mark, 0 without one. */
  readonly bomBytes: number
}

const startsWith = (bytes: Uint8Array, prefix: readonly number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte)

/** Bytes of one code unit: 2 for UTF-16, else 1 (a line feed is a single byte in every other encoding). */
export const unitBytes = (encoding: TextEncoding): 1 | 2 => (encoding.startsWith("utf16") ? 2 : 1)

/**
 * Finds the encoding from the first bytes of a file: an explicit one wins, else a BOM, else UTF-8; nothing is guessed.
 * `binary` is a NUL in the first 8,000 bytes with neither a UTF-16 BOM nor an explicit encoding.
 * @throws ToolError `unsupported_encoding` for UTF-32, `encoding_mismatch` for the BOM of another encoding.
 */
export function detectForm(head: Uint8Array, explicit?: TextEncoding): TextForm | "binary" {
  if (explicit === undefined && UTF32_BOMS.some((bom) => startsWith(head, bom))) {
    throw new ToolError("unsupported_encoding", "The file is UTF-32, which is not supported; convert it with a shell.")
  }
  const found = BOMS.find(([, bom]) => startsWith(head, bom))
  if (explicit !== undefined && found !== undefined && found[0] !== explicit) {
    throw new ToolError(
      "encoding_mismatch",
      `The file starts with a byte-order mark of ${found[0]}; leave \`encoding\` out or send ${found[0]}.`,
      { details: { detected: found[0] } },
    )
  }
  const encoding = explicit ?? found?.[0] ?? "utf8"
  if (explicit === undefined && unitBytes(encoding) === 1 && head.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
    return "binary"
  }
  return { encoding, bomBytes: found?.[1].length ?? 0 }
}

/** Text decoded so far; `lossy` once something could not be decoded and is shown as U+FFFD. */
export interface StreamedText {
  readonly text: string
  readonly lossy: boolean
  /** Invalid bytes, counted under UTF-8 alone. */
  readonly invalidBytes: number
}

/** Decodes bytes that come in chunks; the text does not depend on where they are cut. */
export interface StreamDecoder {
  write(bytes: Uint8Array): StreamedText
  end(): StreamedText
}

const EMPTY: StreamedText = { text: "", lossy: false, invalidBytes: 0 }

function utf8Stream(): StreamDecoder {
  let tail: Uint8Array = new Uint8Array(0)
  const decoded = (bytes: Uint8Array): StreamedText => {
    const { text, invalidBytes } = decodeUtf8(bytes)
    return { text, invalidBytes, lossy: invalidBytes > 0 }
  }
  return {
    write(bytes) {
      const joined = tail.length === 0 ? bytes : Buffer.concat([tail, bytes])
      const kept = incompleteTail(joined)
      tail = Uint8Array.from(joined.subarray(joined.length - kept))
      return decoded(joined.subarray(0, joined.length - kept))
    },
    end: () => (tail.length === 0 ? EMPTY : decoded(tail)),
  }
}

function legacyStream(encoding: Legacy): StreamDecoder {
  const decoder = getDecoder(CODEC[encoding], { stripBOM: false })
  let bytesSeen = 0
  const shown = (text: string): StreamedText => {
    const whole = text.replace(/[\uD800-\uDFFF]/gu, "\uFFFD")
    return { text: whole, lossy: whole.includes("\uFFFD"), invalidBytes: 0 }
  }
  return {
    write(bytes) {
      bytesSeen += bytes.length
      return shown(decoder.write(Buffer.from(bytes)))
    },
    end: () => shown((decoder.end() ?? "") + (bytesSeen % unitBytes(encoding) === 0 ? "" : "\uFFFD")),
  }
}

/** A decoder for bytes after the BOM. */
export function streamDecoder(encoding: TextEncoding): StreamDecoder {
  return encoding === "utf8" ? utf8Stream() : legacyStream(encoding)
}

/** Decodes whole bytes after the BOM without any replacement of what is malformed in UTF-16. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  return encoding === "utf8" ? decodeUtf8(bytes).text : decode(bytes, CODEC[encoding], { stripBOM: false })
}

/** Encodes without a check; unencodable characters are substituted by the library. */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  return encoding === "utf8" ? utf8Bytes(text) : encode(text, CODEC[encoding], { addBOM: false })
}

/** The first code point that the encoding cannot represent, or undefined when all can. */
export function firstUnencodable(text: string, encoding: TextEncoding): number | undefined {
  const lone = /[\uD800-\uDFFF]/u.exec(text)
  if (lone !== null) return lone[0].codePointAt(0)
  if (encoding === "utf8" || decodeText(encodeText(text, encoding), encoding) === text) return undefined
  for (const character of text) {
    if (decodeText(encodeText(character, encoding), encoding) !== character) return character.codePointAt(0)
  }
  return text.codePointAt(0)
}

/** Bytes as a string of one character a byte, and back: the view in which byte positions are string positions. */
export const bytesToUnits = (bytes: Uint8Array): string => decode(bytes, "binary")

/** The bytes of a string made by `bytesToUnits`. */
export const unitsToBytes = (units: string): Uint8Array => encode(units, "binary")
