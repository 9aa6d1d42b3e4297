/** Bytes that take the place of a half-open byte range. */
export interface ByteReplacement {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/**
 * Copies `original` with the ranges exchanged; bytes outside them are copied, never re-encoded.
 * @param replacements Disjoint, in ascending order.
 */
export function spliceBytes(original: Uint8Array, replacements: readonly ByteReplacement[]): Uint8Array {
  const growth = replacements.reduce((sum, { start, end, bytes }) => sum + bytes.length - (end - start), 0)
  const result = new Uint8Array(original.length + growth)
  let read = 0
  let write = 0
  const copy = (bytes: Uint8Array): void => {
    result.set(bytes, write)
    write += bytes.length
  }
  for (const { start, end, bytes } of replacements) {
    copy(original.subarray(read, start))
    copy(bytes)
    read = end
  }
  copy(original.subarray(read))
  return result
}
