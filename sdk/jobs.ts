import { HoldfastError } from "./error.ts"
import { either, POLL_SECS, paced } from "./follow.ts"
import { type JobOutputItem, readJobOutput } from "./job-output.ts"
import type { CallOptions, ToolInput, ToolMethods, ToolOutput } from "./types.ts"

/** A Job as `job_log` tells it. */
export type JobLog = ToolOutput<"job_log">

/** Options of a wait for a Job. */
export interface WaitForJobOptions {
  /** Ms; default none. Running out leaves the Job running and throws `wait_timed_out`. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told what each poll of a running Job returned: first its last lines, then what is new. */
  readonly onOutput?: ((log: JobLog) => void) | undefined
}

/** Helpers over Jobs (spec doors.md §5.5). */
export interface JobHelpers {
  /**
   * The terminal Job with its last lines: every truthful end returns, also `failed` and `lost`; unknown Jobs and transport
   * faults throw.
   */
  waitForJob(jobId: string, options?: WaitForJobOptions): Promise<JobLog>
  /** Of an execution's output the terminal one: itself, or its Job's end after a hand-over. */
  settle<Output extends { readonly job_id: string; readonly terminal: boolean }>(
    output: Output,
    options?: WaitForJobOptions,
  ): Promise<Output | JobLog>
  /** Output as it is written; survives a server restart within the retry budget of each poll. */
  jobOutput(
    jobId: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterableIterator<JobOutputItem, void, undefined>
}

/** The helpers over a client's own tools. */
export function createJobHelpers(tools: ToolMethods): JobHelpers {
  const waitForJob: JobHelpers["waitForJob"] = async (jobId, options = {}) => {
    const stop = new AbortController()
    const { timeoutMs, signal, onOutput } = options
    const timeUp = (): void => stop.abort(waitTimedOut(jobId, timeoutMs))
    const timer = timeoutMs === undefined ? undefined : setTimeout(timeUp, timeoutMs)
    try {
      return await untilTerminal(tools, jobId, { signal: either(stop.signal, signal), onOutput })
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    waitForJob,
    settle: async (output, options) => (output.terminal ? output : await waitForJob(output.job_id, options)),
    jobOutput: (jobId, { signal } = {}) => readJobOutput((input, poll) => pollJob(tools, input, poll), jobId, signal),
  }
}

async function untilTerminal(
  tools: ToolMethods,
  jobId: string,
  { signal, onOutput }: { readonly signal: AbortSignal; readonly onOutput: WaitForJobOptions["onOutput"] },
): Promise<JobLog> {
  const poll = (input: Omit<ToolInput<"job_log">, "job_id">) => pollJob(tools, { job_id: jobId, ...input }, { signal })
  let log = await poll({})
  if (log.terminal) return log
  while (!log.terminal) {
    onOutput?.(log)
    log = await poll({
      after_observation_token: log.observation_token,
      wait_secs: POLL_SECS,
      wake_on: onOutput === undefined ? "terminal" : "change",
    })
  }
  onOutput?.(log)
  return poll({})
}

function pollJob(
  tools: ToolMethods,
  input: ToolInput<"job_log">,
  options: CallOptions & { readonly signal: AbortSignal },
): Promise<JobLog> {
  const isUnchanged = (log: JobLog): boolean => log.log_delta_status === "unchanged" && !log.terminal
  return paced(options.signal, tools.job_log(input, options), isUnchanged)
}

function waitTimedOut(jobId: string, timeoutMs: number | undefined): HoldfastError {
  return new HoldfastError({
    kind: "wait_timed_out",
    message: `The Job did not end within ${timeoutMs} ms; wait again or stop it.`,
    recovery: "retry_later",
    executionState: "running",
    details: { job_id: jobId },
  })
}
