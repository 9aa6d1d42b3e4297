import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs"
import { join } from "node:path"
import type { StreamName } from "../../../../core/jobs/record.ts"
import type { SpoolPage } from "../../../../core/jobs/runner.ts"
import { createSmallIndex, type SmallIndex } from "./small-index.ts"

/** One file that holds a contiguous part of a stream's logical bytes. */
export interface Segment {
  /** Logical offset of its first byte; part of its name, so that a directory alone tells what is retained. */
  readonly from: number
  readonly size: number
  /** Where its bytes lie, if not in a file of its own. */
  readonly place?: { readonly path: string; readonly base: number }
}

/** Where a segment lives. */
export function segmentPath(directory: string, stream: StreamName, from: number): string {
  return join(directory, `${stream}-${from}`)
}

/** The segments of a stream as the files show them, in order; also of hosts that are gone. None where nothing is kept. */
export function listSegments(
  directory: string,
  stream: StreamName,
  small: SmallIndex = createSmallIndex(),
): readonly Segment[] {
  // As long as a file of small outputs has them they are whole there: what leaves it is moved out before.
  return small.find(directory)?.[stream] ?? listOwnSegments(directory, stream)
}

/** Those of a Job that has files of its own. */
export function listOwnSegments(directory: string, stream: StreamName): readonly Segment[] {
  const prefix = `${stream}-`
  const segments: Segment[] = []
  for (const name of namesIn(directory)) {
    const from = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    const size = Number.isNaN(from) ? undefined : statSync(join(directory, name), { throwIfNoEntry: false })?.size
    if (size !== undefined) segments.push({ from, size })
  }
  return segments.sort((a, b) => a.from - b.from)
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Neighbouring segments joined: the ranges of the stream that can still be read. */
export function retainedRanges(segments: readonly Segment[]): SpoolPage["retained"] {
  const ranges: { from: number; to: number }[] = []
  for (const segment of segments) {
    if (segment.size === 0) continue
    const last = ranges.at(-1)
    if (last !== undefined && last.to === segment.from) last.to += segment.size
    else ranges.push({ from: segment.from, to: segment.from + segment.size })
  }
  return ranges
}

/**
 * Reads up to `max` bytes from `range.from`, or from the next retained byte after it, never across a gap
 * (spec exec-and-jobs.md §7.1).
 */
export function readSegments(
  location: { readonly directory: string; readonly stream: StreamName },
  segments: readonly Segment[],
  range: { readonly from: number; readonly max: number; readonly total: number },
): SpoolPage {
  const retained = retainedRanges(segments)
  const inside = retained.find((part) => part.to > range.from)
  const from = inside === undefined ? range.total : Math.max(range.from, inside.from)
  const size = inside === undefined ? 0 : Math.min(range.max, inside.to - from)
  const bytes = new Uint8Array(size)
  let filled = 0
  for (const segment of segments) {
    const at = from + filled
    if (filled === size || at < segment.from || at >= segment.from + segment.size) continue
    const want = Math.min(size - filled, segment.from + segment.size - at)
    const { path, base } = segment.place ?? {
      path: segmentPath(location.directory, location.stream, segment.from),
      base: 0,
    }
    filled += readAt(path, {
      target: bytes.subarray(filled, filled + want),
      position: base + at - segment.from,
    })
  }
  return { bytes: bytes.subarray(0, filled), from, total: range.total, retained }
}

function readAt(path: string, read: { readonly target: Uint8Array; readonly position: number }): number {
  const fd = openSync(path, "r")
  try {
    return readSync(fd, read.target, 0, read.target.length, read.position)
  } finally {
    closeSync(fd)
  }
}
