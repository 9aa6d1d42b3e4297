/** A half-open range of positions in a file's units. */
export interface UnitRange {
  readonly start: number
  readonly end: number
}

/** A text in which every CR LF is one LF, with the way back to the original positions. */
interface Collapsed {
  readonly text: string
  original(position: number): number
}

const collapseNewlines = (text: string): string => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text)

/** How many of the ascending numbers are smaller than `limit`. */
function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

function collapse(units: string): Collapsed {
  if (!units.includes("\r\n")) return { text: units, original: (position) => position }
  const removedBefore: number[] = []
  for (let at = units.indexOf("\r\n"); at >= 0; at = units.indexOf("\r\n", at + 2)) {
    removedBefore.push(at - removedBefore.length)
  }
  return {
    text: collapseNewlines(units),
    original: (position) => position + countBelow(removedBefore, position),
  }
}

/** Finds the places of needles in one file. */
export interface Matcher {
  /** Non-overlapping matches, left to right. With `adapt` each newline of the needle matches LF or CR LF. */
  find(needle: string, newlines: "adapt" | "exact"): readonly UnitRange[]
}

function startsOf(text: string, needle: string): readonly number[] {
  const starts: number[] = []
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) starts.push(at)
  return starts
}

/** A matcher over a file's units: no folding, no normalisation, no tolerance but that of newlines (§4.1). */
export function createMatcher(units: string): Matcher {
  let collapsed: Collapsed | undefined
  return {
    find(needle, newlines) {
      if (newlines === "exact") {
        return startsOf(units, needle).map((start) => ({ start, end: start + needle.length }))
      }
      collapsed ??= collapse(units)
      const { text, original } = collapsed
      const wanted = collapseNewlines(needle)
      return startsOf(text, wanted).map((start) => ({ start: original(start), end: original(start + wanted.length) }))
    },
  }
}

/** Finds line numbers of positions. */
export interface LineIndex {
  /** 1-based line of the unit at `position`. */
  lineAt(position: number): number
}

/** Line numbers over a file's units; a line ends after LF. */
export function createLineIndex(units: string): LineIndex {
  let feeds: number[] | undefined
  return {
    lineAt(position) {
      feeds ??= [...startsOf(units, "\n")]
      return countBelow(feeds, position) + 1
    },
  }
}
