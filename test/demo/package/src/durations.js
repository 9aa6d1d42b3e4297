const UNITS = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
]

/** `90000` → `1m 30s`; less than a second is `0s`. Throws on anything but a whole, non-negative number. */
export function formatDuration(ms) {
  if (!Number.isInteger(ms) || ms < 0)
    throw new RangeError("a duration is a whole, non-negative number of milliseconds")
  const parts = []
  let rest = ms
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${name}`)
  }
  return parts.length === 0 ? "0s" : parts.join(" ")
}
