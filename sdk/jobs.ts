import { HoldfastError } from "./error.ts"
import { pause } from "./retry.ts"
import type { ToolMethods, ToolOutput } from "./types.ts"

/** A Job as `job_log` tells it. */
export type JobLog = ToolOutput<"job_log">

/** One piece of a Job's output: every byte once, in order, gaps said, `end` once and last (spec doors.md §5.5). */
export type JobOutputItem =
  | { readonly type: "data"; readonly stream: "stdout" | "stderr"; readonly text: string; readonly offset: number }
  | { readonly type: "gap"; readonly stream: "stdout" | "stderr"; readonly droppedBytes: number }
  | { readonly type: "end"; readonly job: JobLog }

/** Options of a wait for a Job. */
export interface WaitForJobOptions {
  /** Ms; default none. Running out leaves the Job running and throws `wait_timed_out`. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told what a poll returned. */
  readonly onOutput?: ((log: JobLog) => void) | undefined
}

/** Helpers over Jobs (spec doors.md §5.5). */
export interface JobHelpers {
  /** The terminal Job: every truthful end returns, also `failed` and `lost`; unknown Jobs and transport faults throw. */
  waitForJob(jobId: string, options?: WaitForJobOptions): Promise<JobLog>
  /** Of an execution's output the terminal one: itself, or its Job's end after a hand-over. */
  settle<Output extends { readonly job_id: string; readonly terminal: boolean }>(
    output: Output,
    options?: WaitForJobOptions,
  ): Promise<Output | JobLog>
  /** Output as it is written; survives a server restart within the retry budget of each poll. */
  jobOutput(jobId: string, options?: { readonly signal?: AbortSignal }): AsyncGenerator<JobOutputItem, void, void>
}

const POLL_SECS = 30
const LEAST_GAP_MS = 100
const PAGE_BYTES = 262_144

/** The helpers over a client's own tools. */
export function createJobHelpers(tools: ToolMethods): JobHelpers {
  const waitForJob = async (jobId: string, options: WaitForJobOptions = {}): Promise<JobLog> => {
    const until = options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.timeoutMs
    let token: string | undefined
    for (;;) {
      const polledAt = Date.now()
      const left = Math.ceil((until - polledAt) / 1_000)
      if (left <= 0) throw waitTimedOut(jobId, options.timeoutMs ?? 0)
      const log: JobLog = await tools.job_log(
        token === undefined
          ? { job_id: jobId, tail_lines: 1 }
          : {
              job_id: jobId,
              after_observation_token: token,
              wait_secs: Math.min(POLL_SECS, left),
              wake_on: "terminal",
            },
        { signal: options.signal },
      )
      options.onOutput?.(log)
      if (log.terminal) return log
      token = log.observation_token
      await atLeastBetween(polledAt, options.signal)
    }
  }
  return {
    waitForJob,
    settle: async (output, options) => (output.terminal ? output : await waitForJob(output.job_id, options)),
    jobOutput: (jobId, options = {}) => readJobOutput(tools, { jobId, signal: options.signal }),
  }
}

async function* readJobOutput(
  tools: ToolMethods,
  { jobId, signal }: { readonly jobId: string; readonly signal: AbortSignal | undefined },
): AsyncGenerator<JobOutputItem, void, void> {
  // A consumer that breaks out leaves a poll in flight; this cancels it.
  const left = new AbortController()
  const signals = signal === undefined ? left.signal : AbortSignal.any([left.signal, signal])
  const next = { stdout: 0, stderr: 0 }
  const streams = ["stdout", "stderr"] as const
  try {
    let token: string | undefined
    for (;;) {
      const polledAt = Date.now()
      let log: JobLog | undefined
      let complete = true
      for (const stream of streams) {
        log = await tools.job_log(
          { job_id: jobId, stream, view: "raw", from_byte: next[stream], max_bytes: PAGE_BYTES },
          { signal: signals },
        )
        const page = log[stream]
        if (page === undefined) continue
        if (page.gap !== undefined) yield { type: "gap", stream, droppedBytes: page.gap.to_byte - page.gap.from_byte }
        if (page.text !== undefined && page.text !== "")
          yield { type: "data", stream, text: page.text, offset: page.from_byte }
        next[stream] = page.next_byte
        complete &&= page.complete
      }
      if (log?.terminal === true && complete) return yield { type: "end", job: log }
      const waited = await tools.job_log(
        token === undefined
          ? { job_id: jobId, tail_lines: 1 }
          : { job_id: jobId, after_observation_token: token, wait_secs: POLL_SECS, wake_on: "change" },
        { signal: signals },
      )
      token = waited.observation_token
      await atLeastBetween(polledAt, signals)
    }
  } finally {
    left.abort()
  }
}

/** Keeps a server that answers at once from being polled in a tight loop. */
async function atLeastBetween(since: number, signal: AbortSignal | undefined): Promise<void> {
  const rest = LEAST_GAP_MS - (Date.now() - since)
  if (rest > 0) await pause(rest, signal ?? new AbortController().signal)
}

function waitTimedOut(jobId: string, timeoutMs: number): HoldfastError {
  return new HoldfastError({
    kind: "wait_timed_out",
    message: `The Job did not end within ${timeoutMs} ms and runs on; wait again or stop it.`,
    recovery: "retry_later",
    executionState: "running",
    details: { job_id: jobId },
  })
}
