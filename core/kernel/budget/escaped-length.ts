/** Whether a UTF-16 unit is the first or second half of a surrogate pair. */
function half(unit: number): "high" | "low" | undefined {
  if (unit < 0xd800 || unit > 0xdfff) return undefined
  return unit < 0xdc00 ? "high" : "low"
}

function isPaired(text: string, at: number, unit: number): boolean {
  if (half(unit) === "high") return half(text.charCodeAt(at + 1)) === "low"
  return half(text.charCodeAt(at - 1)) === "high"
}

/** Units of one UTF-16 unit of `text` in serialised JSON: 1, 2 for a short escape, 6 for a long one. */
function escapedUnit(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (unit >= 0x20) {
    if (unit === 0x22 || unit === 0x5c) return 2
    return half(unit) === undefined || isPaired(text, at, unit) ? 1 : 6
  }
  return unit === 0x08 || unit === 0x09 || unit === 0x0a || unit === 0x0c || unit === 0x0d ? 2 : 6
}

/** `sums[i]` = length of the first `i` units of `text` in serialised JSON, without quotes. */
export function escapedSums(text: string): Uint32Array {
  const sums = new Uint32Array(text.length + 1)
  let sum = 0
  for (let at = 0; at < text.length; at++) {
    sum += escapedUnit(text, at)
    sums[at + 1] = sum
  }
  return sums
}

/** Length of a value in serialised JSON, in UTF-16 units. */
export function serialisedLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}
