import { closeSync, mkdirSync, openSync, unlinkSync, writeFileSync, writeSync } from "node:fs"
import { countNewlines } from "../../../../core/jobs/output/newlines.ts"
import type { StreamName } from "../../../../core/jobs/record.ts"
import type { SpoolPage } from "../../../../core/jobs/runner.ts"
import { readSegments, type Segment, segmentPath } from "./spool-files.ts"

/** Sizes of one stream's files, bytes. */
export interface SegmentSizes {
  /** The first segment, which is kept for ever. */
  readonly head: number
  readonly other: number
}

/** The stored bytes of one stream: append, read, and give up the oldest of the middle. */
export interface StreamSpool {
  /** Logical length: every byte ever written, also those that were dropped. */
  length(): number
  dropped(): number
  /** Bytes on disk. */
  stored(): number
  /** A write failed; what came after it is dropped and counted (spec exec-and-jobs.md §7.1). */
  hasFailed(): boolean
  append(bytes: Uint8Array): void
  /** Puts what lies in the small file into one of its own, also a second time. Throws the system's error. */
  moveOut(): void
  /** Removes the oldest segment that is neither the first nor the one being written; `false` when there is none. */
  dropOldest(): boolean
  read(range: { readonly from: number; readonly max: number }): SpoolPage
  close(): void
}

interface OpenSegment extends Segment {
  size: number
}

/** What another host has stored of a stream already. */
export interface StoredStream {
  readonly segments: readonly Segment[]
  readonly newlines: number
}

/** Where a stream keeps its bytes while they are few. */
export interface SmallRoom {
  /** Throws the system's error; `undefined` where there is no room any more: both streams have moved out by then. */
  append(stream: StreamName, from: number, bytes: Uint8Array): Segment | undefined
}

/** A stream without a byte has no file and no directory. `before`: what it goes on from. */
export function createStreamSpool(
  place: { readonly directory: string; readonly stream: StreamName; readonly small: SmallRoom },
  sizes: SegmentSizes,
  before: StoredStream = { segments: [], newlines: 0 },
): StreamSpool {
  const { directory, stream, small } = place
  const segments: OpenSegment[] = before.segments.map((segment) => ({ ...segment }))
  let fd: number | undefined
  let length = endOf(segments)
  let stored = segments.reduce((sum, { size }) => sum + size, 0)
  let dropped = length - stored
  let failed = false
  let newlines = before.newlines

  function openNext(): OpenSegment {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
    if (segments.length === 0) mkdirSync(directory, { recursive: true, mode: 0o700 })
    fd = openSync(segmentPath(directory, stream, length), "wx", 0o600)
    const segment = { from: length, size: 0 }
    segments.push(segment)
    return segment
  }

  /** The segment that another host was writing. */
  function reopenLast({ from }: OpenSegment): void {
    fd ??= openSync(segmentPath(directory, stream, from), "a", 0o600)
  }

  function room(): { readonly segment: OpenSegment; readonly bytes: number } {
    const last = segments.at(-1)
    const limit = segments.length === 1 ? sizes.head : sizes.other
    if (last !== undefined && last.size < limit) {
      reopenLast(last)
      return { segment: last, bytes: limit - last.size }
    }
    const segment = openNext()
    return { segment, bytes: segments.length === 1 ? sizes.head : sizes.other }
  }

  function store(bytes: Uint8Array): void {
    const piece = bytes.length === 0 ? undefined : small.append(stream, length, bytes)
    if (piece === undefined) {
      storeInSegments(bytes)
      return
    }
    segments.push({ ...piece })
    stored += piece.size
    length += piece.size
  }

  function storeInSegments(bytes: Uint8Array): void {
    let rest = bytes
    while (rest.length > 0) {
      const { segment, bytes: free } = room()
      if (fd === undefined) return
      const written = writeSync(fd, rest, 0, Math.min(free, rest.length))
      segment.size += written
      stored += written
      length += written
      rest = rest.subarray(written)
    }
  }

  return {
    length: () => length,
    dropped: () => dropped,
    stored: () => stored,
    hasFailed: () => failed,
    append(bytes) {
      const end = length + bytes.length
      newlines += countNewlines(bytes)
      if (!failed) {
        try {
          store(bytes)
        } catch {
          failed = true
        }
      }
      dropped += end - length
      length = end
    },
    moveOut() {
      if (length === 0) return
      const { bytes } = readSegments({ directory, stream }, segments, { from: 0, max: length, total: length })
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      writeFileSync(segmentPath(directory, stream, 0), bytes, { mode: 0o600 })
      segments.splice(0, segments.length, { from: 0, size: bytes.length })
    },
    dropOldest() {
      const victim = segments[1]
      if (victim === undefined || segments.length < 3) return false
      segments.splice(1, 1)
      stored -= victim.size
      dropped += victim.size
      unlinkSync(segmentPath(directory, stream, victim.from))
      return true
    },
    read: ({ from, max }) => ({
      ...readSegments({ directory, stream }, segments, { from, max, total: length }),
      newlines,
    }),
    close() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
    },
  }
}

function endOf(segments: readonly Segment[]): number {
  const last = segments.at(-1)
  return last === undefined ? 0 : last.from + last.size
}
