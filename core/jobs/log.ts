import type { Call } from "../kernel/call.ts"
import type { JobId } from "../kernel/ids.ts"
import { deltaPage, type PageRequest, pageOf } from "./log-page.ts"
import type { LogQuery } from "./log-query.ts"
import type { LogOutput, StreamView } from "./log-schema.ts"
import { waitForNews } from "./news.ts"
import { exitOf } from "./outcome.ts"
import { standing } from "./output-schema.ts"
import { gapAt } from "./pages.ts"
import { type JobReading, readJob, requireOutput, type StreamSource, streamOf, streamTotals } from "./reading.ts"
import type { StreamName } from "./record.ts"
import { isTerminal } from "./states.ts"
import { decodeObservation, encodeObservation, type Observation } from "./tokens.ts"

/** A Job and its streams as they stand at one moment. */
export interface LogReading {
  readonly reading: JobReading
  readonly sources: Readonly<Record<StreamName, StreamSource>>
}

/** What to show of a Job's log. */
export interface LogRequest {
  readonly jobId: JobId
  readonly query: LogQuery
  /** Serialised JSON characters for all streams together. */
  readonly maxChars: number
  /** Whether to answer now with what there is. */
  readonly until: () => boolean
  readonly wait?: { readonly waitMs: number; readonly wakeOn: "change" | "terminal" }
}

const REPLY_TIME_MS = 1000

/** Tells when a reader of this call has to answer: 1 s before its deadline, or when nobody waits for more (spec kernel.md §10). */
export function timeUp({ signal, deadline }: Pick<Call, "signal" | "deadline">): () => boolean {
  return () => signal.aborted || deadline.remaining() <= REPLY_TIME_MS
}

type LogCall = Pick<Call, "ports" | "caller" | "signal" | "deadline">

/** Throws `job_not_found`, `output_evicted`, `observation_token_invalid`. */
export async function readLog(call: LogCall, request: LogRequest): Promise<LogOutput> {
  const seen = await seenBy(call, request)
  const { wait } = request
  if (wait === undefined) return showLog(call, request, { log: await readStreams(call, request.jobId), seen })
  const { value, outcome } = await waitForNews(call, {
    read: () => readStreams(call, request.jobId),
    isNews: (log) => isNews(log, request, { seen, wakeOn: wait.wakeOn }),
    readings: (log) => [log.reading],
    ...wait,
  })
  const terminal = isTerminal(value.reading.job.status)
  const isLate = wait.wakeOn === "change" && !isFinal(value.reading)
  const wait_outcome = outcome === "timeout" ? "timeout" : terminal && !isLate ? "terminal" : "changed"
  return { ...(await showLog(call, request, { log: value, seen })), wait_outcome }
}

/** What the caller's token says it has seen; `undefined` in other modes. */
async function seenBy({ ports }: LogCall, { query, jobId }: LogRequest): Promise<Observation | undefined> {
  if (query.mode.kind !== "token") return undefined
  return decodeObservation(await ports.store.instanceKey(), query.mode.token, jobId)
}

/** The Job and both of its streams; throws `job_not_found`, `output_evicted`. */
export async function readStreams(call: LogCall, jobId: JobId): Promise<LogReading> {
  const reading = await readJob(call, jobId)
  await requireOutput(call, reading)
  const stdout = await streamOf(reading, "stdout")
  const stderr = await streamOf(reading, "stderr")
  return { reading, sources: { stdout, stderr } }
}

/** Whether a reader of `seen` (or of an offset) gets something it has not had. */
export function isNews(
  { reading, sources }: LogReading,
  { query }: Pick<LogRequest, "query">,
  against: { readonly seen: Observation | undefined; readonly wakeOn: "change" | "terminal" },
): boolean {
  const { job } = reading
  if (isFinal(reading)) return true
  if (against.wakeOn === "terminal") return isTerminal(job.status)
  const { seen } = against
  const from = query.mode.kind === "bytes" ? query.mode.from : 0
  const grown = query.streams.some((stream) => sources[stream].total > (seen?.offsets[stream] ?? from))
  return grown || (seen !== undefined && job.revision !== seen.revision)
}

/** Nothing can come any more: it has ended, and nothing it left behind holds its output. */
function isFinal({ job, facts }: JobReading): boolean {
  return isTerminal(job.status) && facts?.outputOpen !== true
}

const BASELINE = { kind: "tail", lines: 200 } as const

/** Shows a log as it was read. */
export async function showLog(
  { ports }: Pick<Call, "ports">,
  request: LogRequest,
  { log, seen }: { readonly log: LogReading; readonly seen: Observation | undefined },
): Promise<LogOutput> {
  const { job } = log.reading
  const { query } = request
  const isReset = seen !== undefined && query.streams.some((stream) => isLost(log.sources[stream], seen, stream))
  const views: Partial<Record<StreamName, StreamView>> = {}
  for (const stream of query.streams) {
    const page = pageRequest(log, stream, request)
    if (query.mode.kind !== "token") views[stream] = await pageOf(page, query.mode)
    else if (isReset || seen === undefined) views[stream] = await pageOf(page, BASELINE)
    else views[stream] = await deltaPage(page, seen.offsets[stream])
  }
  const offsets = {
    stdout: views.stdout?.next_byte ?? seen?.offsets.stdout ?? 0,
    stderr: views.stderr?.next_byte ?? seen?.offsets.stderr ?? 0,
  }
  const key = await ports.store.instanceKey()
  const terminal = isTerminal(job.status)
  return {
    ...standing(job),
    terminal,
    ...(terminal ? { exit_code: exitOf(job.outcome).exit_code } : {}),
    log_delta_status: deltaStatus({ seen, isReset, revision: job.revision, offsets }),
    ...views,
    observation_token: encodeObservation(key, { jobId: job.jobId, revision: job.revision, offsets }),
    output_state: job.outputState,
  }
}

function pageRequest({ reading, sources }: LogReading, stream: StreamName, request: LogRequest): PageRequest {
  const { query, maxChars } = request
  return {
    source: sources[stream],
    totals: streamTotals(reading, sources[stream]),
    terminal: isFinal(reading),
    query,
    maxChars: Math.floor(maxChars / query.streams.length),
    until: request.until,
  }
}

/** What came after the token is not all there any more. */
function isLost(source: StreamSource, seen: Observation, stream: StreamName): boolean {
  const offset = seen.offsets[stream]
  return offset > source.total || gapAt(source, offset) !== undefined
}

function deltaStatus(now: {
  readonly seen: Observation | undefined
  readonly isReset: boolean
  readonly revision: number
  readonly offsets: Observation["offsets"]
}): LogOutput["log_delta_status"] {
  const { seen, offsets } = now
  if (seen === undefined) return "baseline"
  if (now.isReset) return "reset"
  const same = offsets.stdout === seen.offsets.stdout && offsets.stderr === seen.offsets.stderr
  return same && now.revision === seen.revision ? "unchanged" : "delta"
}
