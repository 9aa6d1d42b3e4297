/** The first `$EPOCHREALTIME` of bash in a text; seconds since the epoch. */
export function stampIn(text: string): number {
  const stamp = /\d{10}\.\d{6}/.exec(text)?.[0]
  if (stamp === undefined) throw new Error(`No time was told: ${text.slice(0, 300)}`)
  return Number(stamp)
}

/** All of them. */
export function stampsIn(text: string): readonly number[] {
  return text.match(/\d{10}\.\d{6}/g)?.map(Number) ?? []
}

/** Milliseconds from a stamp to `now`, a value of `performance.now()`. */
export function sinceStamp(stamp: number, now = performance.now()): number {
  return performance.timeOrigin + now - stamp * 1000
}
