import { StreamCounter } from "../../../../core/jobs/output/totals.ts"
import type { StreamName } from "../../../../core/jobs/record.ts"
import type { SpoolPage } from "../../../../core/jobs/runner.ts"
import { createSmallIndex, type SmallIndex } from "./small-index.ts"
import { listSegments, readSegments, type Segment } from "./spool-files.ts"

const COUNT_CHUNK = 1_048_576

/** One page of a stream that a host which is gone has stored. */
export function readStored(
  directory: string,
  stream: StreamName,
  range: { readonly from: number; readonly max: number; readonly small: SmallIndex },
): SpoolPage {
  const segments = listSegments(directory, stream, range.small)
  const last = segments.at(-1)
  const total = last === undefined ? 0 : last.from + last.size
  return readSegments({ directory, stream }, segments, { from: range.from, max: range.max, total })
}

/**
 * The best that can be known of a stream whose host died: what it had stored, counted anew; dropped bytes count, the lines in
 * them do not (spec exec-and-jobs.md §6.2).
 */
export function storedStream(
  directory: string,
  stream: StreamName,
): { readonly segments: readonly Segment[]; readonly counter: StreamCounter } {
  const counter = new StreamCounter()
  const small = createSmallIndex()
  for (;;) {
    const page = readStored(directory, stream, { from: counter.bytes, max: COUNT_CHUNK, small })
    counter.skip(page.from - counter.bytes)
    counter.push(page.bytes)
    if (page.bytes.length === 0) break
  }
  return { segments: listSegments(directory, stream, small), counter }
}
