const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** UTF-8 bytes of a text; an unpaired surrogate becomes U+FFFD. */
export const utf8Bytes = (text: string): Uint8Array => encoder.encode(text)

/** Length of a text in UTF-8 bytes. */
export const utf8Length = (text: string): number => Buffer.byteLength(text, "utf8")

/** A decoded text and how many bytes of it were invalid, each shown as one U+FFFD. */
export interface DecodedText {
  readonly text: string
  readonly invalidBytes: number
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Bytes that a lead byte announces; 1 for a byte that leads nothing. */
function announcedLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1
}

/** Whether the second byte keeps the sequence out of overlong forms, surrogates and values beyond U+10FFFF. */
function allowsSecond(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0
  if (lead === 0xed) return second <= 0x9f
  if (lead === 0xf0) return second >= 0x90
  return lead === 0xf4 ? second <= 0x8f : true
}

/** Length of the valid sequence at `index`, or 0 when the byte there is invalid. */
function sequenceLength(bytes: Uint8Array, index: number): number {
  const lead = bytes[index] ?? 0
  if (lead < 0x80) return 1
  const length = announcedLength(lead)
  if (length === 1) return 0
  for (let offset = 1; offset < length; offset += 1) if (!isContinuation(bytes[index + offset])) return 0
  return allowsSecond(lead, bytes[index + 1] ?? 0) ? length : 0
}

function decodeLossy(bytes: Uint8Array): DecodedText {
  let text = ""
  let invalidBytes = 0
  let runStart = 0
  let index = 0
  while (index < bytes.length) {
    const length = sequenceLength(bytes, index)
    if (length > 0) {
      index += length
      continue
    }
    text += `${strict.decode(bytes.subarray(runStart, index))}\uFFFD`
    invalidBytes += 1
    index += 1
    runStart = index
  }
  return { text: text + strict.decode(bytes.subarray(runStart)), invalidBytes }
}

/** Decodes complete bytes; an invalid byte is one U+FFFD (files-and-git.md §2.1). A BOM is kept. */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  try {
    return { text: strict.decode(bytes), invalidBytes: 0 }
  } catch (error) {
    if (error instanceof TypeError) return decodeLossy(bytes)
    throw error
  }
}

/** How many bytes at the end may be the begin of a sequence that the next chunk completes: 0..3. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (!isContinuation(byte)) return announcedLength(byte) > back ? back : 0
  }
  return 0
}
