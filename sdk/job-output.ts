import { iterate, POLL_SECS } from "./follow.ts"
import type { CallOptions, ToolInput, ToolOutput } from "./types.ts"

type JobLog = ToolOutput<"job_log">
type StreamName = "stdout" | "stderr"

/** One piece of a Job's output: every byte once, in order, gaps said, `end` once and last (spec doors.md §5.5). */
export type JobOutputItem =
  | { readonly type: "data"; readonly stream: StreamName; readonly text: string; readonly offset: number }
  | { readonly type: "gap"; readonly stream: StreamName; readonly droppedBytes: number }
  | { readonly type: "end"; readonly job: JobLog }

/** Reads a Job's log once. */
export type Poll = (
  input: ToolInput<"job_log">,
  options: CallOptions & { readonly signal: AbortSignal },
) => Promise<JobLog>

const STREAMS = ["stdout", "stderr"] as const
const PAGE_BYTES = 262_144
/** Room for a page of which every byte is escaped. */
const PAGE_CHARS = 4_000_000

/** Output as it is written. */
export function readJobOutput(
  poll: Poll,
  jobId: string,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<JobOutputItem, void, undefined> {
  return iterate(signal, (stop) => follow(poll, jobId, stop))
}

async function* follow(poll: Poll, jobId: string, signal: AbortSignal): AsyncGenerator<JobOutputItem, void, undefined> {
  const options = { signal, maxChars: PAGE_CHARS }
  const next = { stdout: 0, stderr: 0 }
  let token: string | undefined
  for (;;) {
    const log = await poll(
      token === undefined
        ? { job_id: jobId, view: "raw", tail_lines: 1 }
        : { job_id: jobId, view: "raw", after_observation_token: token, wait_secs: POLL_SECS, wake_on: "change" },
      options,
    )
    token = log.observation_token
    for (const stream of STREAMS) {
      const known = log[stream]
      // What is new usually continues what was read; else (a start, a gap) it is read from the place that is next.
      let page = known?.from_byte === next[stream] ? known : undefined
      for (;;) {
        if (page !== undefined) {
          yield* itemsOf(stream, page)
          next[stream] = page.next_byte
        }
        if (known === undefined || next[stream] >= known.next_byte) break
        const max_bytes = Math.min(PAGE_BYTES, known.next_byte - next[stream])
        const read = await poll({ job_id: jobId, view: "raw", stream, from_byte: next[stream], max_bytes }, options)
        page = read[stream]
        if (page === undefined || page.next_byte <= next[stream]) break
      }
    }
    const isRead = (stream: StreamName): boolean => {
      const known = log[stream]
      return known === undefined || (!known.more && next[stream] >= known.next_byte)
    }
    if (log.terminal && STREAMS.every(isRead)) return yield { type: "end", job: log }
  }
}

function* itemsOf(
  stream: StreamName,
  page: NonNullable<JobLog[StreamName]>,
): Generator<JobOutputItem, void, undefined> {
  const { gap, text } = page
  if (gap !== undefined) yield { type: "gap", stream, droppedBytes: gap.to_byte - gap.from_byte }
  if (text !== undefined && text !== "") yield { type: "data", stream, text, offset: page.from_byte }
}
