/** The largest whole number in `[low, high]` for which `fits` holds; `low` if none does. `fits` holds below it. */
export function largestFitting(low: number, high: number, fits: (value: number) => boolean): number {
  let good = low
  let bad = high + 1
  while (bad - good > 1) {
    const middle = good + Math.floor((bad - good) / 2)
    if (fits(middle)) good = middle
    else bad = middle
  }
  return good
}
