/**
 * The segments of a request target's path, each decoded once (spec doors.md §2.1); `undefined` where an encoded slash, a
 * NUL or a bad escape makes it a path of nothing. The query is left aside.
 */
export function pathSegments(rawTarget: string): readonly string[] | undefined {
  const query = rawTarget.indexOf("?")
  const path = query === -1 ? rawTarget : rawTarget.slice(0, query)
  const segments: string[] = []
  for (const raw of path.slice(1).split("/")) {
    const segment = decodeSegment(raw)
    if (segment === undefined) return undefined
    segments.push(segment)
  }
  return segments
}

function decodeSegment(raw: string): string | undefined {
  if (!raw.includes("%")) return raw.includes("\0") ? undefined : raw
  try {
    const segment = decodeURIComponent(raw)
    return segment.includes("/") || segment.includes("\0") ? undefined : segment
  } catch {
    // Only a bad escape throws, and that is the answer.
    return undefined
  }
}
