/** Whether a byte goes on with a character that began before it. */
export const isContinuation = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte < 0xc0

/** The last character border at or before `at`; `at` itself in bytes that are no UTF-8. */
export function characterStart(bytes: Uint8Array, at: number): number {
  for (let back = 0; back <= 3 && back <= at; back += 1) if (!isContinuation(bytes[at - back])) return at - back
  return at
}

/** Bytes of the character that begins with `lead`; 1 for what begins none. */
export function characterLength(lead: number): number {
  if (lead < 0xc0) return 1
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
}

/** How many of the bytes there are without a last character that is still being written. */
export function wholeCharacters(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0
  const lead = characterStart(bytes, bytes.length - 1)
  return lead + characterLength(bytes[lead] ?? 0) > bytes.length ? lead : bytes.length
}
