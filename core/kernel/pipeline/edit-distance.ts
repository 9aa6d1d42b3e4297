/** Levenshtein distance of two short names, or `limit + 1` when it is more than `limit`. */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const substitution = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > limit) return limit + 1
    row = next
  }
  return row[other.length] ?? limit + 1
}
