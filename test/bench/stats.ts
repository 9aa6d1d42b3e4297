/** The value that a share (0..1) of a list does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]
  if (value === undefined) throw new Error("The quantile of nothing was asked for.")
  return value
}

/** Middle of a list: half of the values lie below it. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("The median of nothing was asked for.")
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
