/** Bytes of a value in serialised JSON, with the comma behind it. */
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1

/** The longest begin of a line within `maxBytes` of serialised JSON, cut between code points. */
export function cutLine(line: string, maxBytes: number): string {
  if (line.length * 6 + 3 <= maxBytes || jsonBytes(line) <= maxBytes) return line
  let bytes = 3
  let end = 0
  for (const character of line) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2
    if (bytes > maxBytes) break
    end += character.length
  }
  return line.slice(0, end)
}
