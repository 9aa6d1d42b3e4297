const encoder = new TextEncoder()
/** `ignoreBOM` keeps a leading U+FEFF; nothing here is ever invalid. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const LONE_LEAD = 0xed
const LONE_SURROGATE = /\p{Surrogate}/u

/** UTF-8 of `text`; a lone surrogate becomes the three bytes that its code point would have, so that it survives. */
export function encodeText(text: string): Uint8Array {
  if (!LONE_SURROGATE.test(text)) return encoder.encode(text)
  const bytes: number[] = []
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (code < 0xd800 || code > 0xdfff) bytes.push(...encoder.encode(char))
    else bytes.push(LONE_LEAD, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
  }
  return Uint8Array.from(bytes)
}

/** The text of bytes made by `encodeText`, cut between characters. */
export function decodeText(bytes: Uint8Array): string {
  let text = ""
  let from = 0
  for (let at = bytes.indexOf(LONE_LEAD); at >= 0; at = bytes.indexOf(LONE_LEAD, at + 1)) {
    const second = bytes[at + 1] ?? 0
    if (second < 0xa0) continue
    text += decoder.decode(bytes.subarray(from, at))
    text += String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | ((bytes[at + 2] ?? 0) & 0x3f))
    from = at + 3
  }
  return from === 0 ? decoder.decode(bytes) : text + decoder.decode(bytes.subarray(from))
}

/** Whether a text ends in the first half of a surrogate pair. */
export function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
