/** Middle of a list: half of the values lie below it. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("The median of nothing was asked for.")
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
