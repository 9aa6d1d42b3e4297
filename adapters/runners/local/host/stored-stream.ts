import { StreamCounter } from "../../../../core/jobs/output/totals.ts"
import type { StreamName } from "../../../../core/jobs/record.ts"
import type { SpoolPage } from "../../../../core/jobs/runner.ts"
import { listSegments, readSegments, type Segment } from "./spool-files.ts"

const COUNT_CHUNK = 1_048_576

/** One page of a stream that a host which is gone has stored in these segments. */
export function readStoredPage(
  directory: string,
  stream: StreamName,
  { segments, from, max }: { readonly segments: readonly Segment[]; readonly from: number; readonly max: number },
): SpoolPage {
  const last = segments.at(-1)
  const total = last === undefined ? 0 : last.from + last.size
  return readSegments({ directory, stream }, segments, { from, max, total })
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
  const segments = listSegments(directory, stream)
  for (;;) {
    const page = readStoredPage(directory, stream, { segments, from: counter.bytes, max: COUNT_CHUNK })
    counter.skip(page.from - counter.bytes)
    counter.push(page.bytes)
    if (page.bytes.length === 0) break
  }
  return { segments, counter }
}
