import { maskName } from "./mask.ts"

/** A registered secret: the variable's name, which becomes the mask's NAME, and its value. */
export interface Literal {
  readonly name: string
  readonly value: string
}

/** One searched spelling of a secret, as UTF-8 bytes, with the NAME of its mask. */
export interface LiteralForm {
  readonly name: string
  readonly text: string
  /** UTF-8 of `text`, or a piece of it if it is very long. */
  readonly bytes: Uint8Array
  readonly isPiece: boolean
}

/** Values shorter than this (UTF-16 units) are not searched: they would mask ordinary words. */
export const MIN_LITERAL_CHARS = 4
/** From this length on (UTF-16 units) base64, base64url and hex spellings are searched too (kernel.md §12). */
const MIN_ENCODED_CHARS = 12
/** A longer spelling is searched in pieces, so that no scanner holds back more (half of §12's 16 KiB). */
const MAX_FORM_BYTES = 8192

const encoder = new TextEncoder()

function base64(bytes: Uint8Array): string {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** The characters of base64 that depend on `value` alone when `offset` unknown bytes stand before it. */
function alignedBase64(value: Uint8Array, offset: number): string {
  const padded = new Uint8Array(offset + value.length)
  padded.set(value, offset)
  const first = Math.ceil((offset * 8) / 6)
  return base64(padded).slice(first, Math.floor((padded.length * 8) / 6))
}

function encodedSpellings(value: string): string[] {
  const bytes = encoder.encode(value)
  const standard = [0, 1, 2].map((offset) => alignedBase64(bytes, offset))
  const urlSafe = standard.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return [...standard, ...urlSafe, hex, hex.toUpperCase()]
}

function spellings(raw: string): Set<string> {
  const value = raw.replace(/\p{Surrogate}/gu, "\ufffd")
  const percent = encodeURIComponent(value)
  const texts = [value, JSON.stringify(value).slice(1, -1), percent]
  texts.push(
    percent.replace(/%[0-9A-F]{2}/g, (encoded) => encoded.toLowerCase()),
    percent.replaceAll("%20", "+"),
  )
  return new Set(value.length < MIN_ENCODED_CHARS ? texts : [...texts, ...encodedSpellings(value)])
}

function inPieces(form: LiteralForm): LiteralForm[] {
  const { bytes } = form
  if (bytes.length <= MAX_FORM_BYTES) return [form]
  const size = Math.ceil(bytes.length / Math.ceil(bytes.length / MAX_FORM_BYTES))
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, index) => ({
    ...form,
    bytes: bytes.subarray(index * size, (index + 1) * size),
    isPiece: true,
  }))
}

/** Every spelling of every literal that is searched: raw, JSON-escaped, percent-encoded, and the long ones encoded. */
export function literalForms(literals: readonly Literal[]): LiteralForm[] {
  const forms = new Map<string, LiteralForm>()
  for (const { name, value } of literals) {
    if (value.length < MIN_LITERAL_CHARS) continue
    for (const text of spellings(value)) {
      if (forms.has(text)) continue
      forms.set(text, { name: maskName(name), text, bytes: encoder.encode(text), isPiece: false })
    }
  }
  return [...forms.values()].flatMap(inPieces)
}
