/** A set of bytes: 1 at each member. */
export type ByteClass = Uint8Array

/** The bytes of a class written like in a pattern: `a-z` is a range, every other character itself. */
export function byteClass(pattern: string): ByteClass {
  const members = new Uint8Array(256)
  for (let at = 0; at < pattern.length; at++) {
    const first = pattern.charCodeAt(at)
    const isRange = pattern[at + 1] === "-" && at + 2 < pattern.length
    const last = isRange ? pattern.charCodeAt(at + 2) : first
    members.fill(1, first, last + 1)
    if (isRange) at += 2
  }
  return members
}

/** Every byte that is not in the class. */
export function complement(members: ByteClass): ByteClass {
  return members.map((member) => 1 - member)
}

/** `[A-Za-z0-9]`. */
export const ALNUM = byteClass("A-Za-z0-9")
/** `[A-Za-z0-9_-]`: base64url. */
export const WORD_DASH = byteClass("A-Za-z0-9_-")
/** Space and tab. */
export const BLANK = byteClass(" \t")

/** Whether a byte begins a character (ASCII or the first of a UTF-8 sequence). */
export function startsCharacter(byte: number): boolean {
  return (byte & 0xc0) !== 0x80
}

/** `A-Z` as `a-z`, other bytes as they are. */
export function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
