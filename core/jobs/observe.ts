import type { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { isToolError } from "../kernel/error.ts"
import { invalidField } from "./environment.ts"
import { isNews, type LogReading, type LogRequest, readStreams, showLog, timeUp } from "./log.ts"
import type { ObserveOutput, observeInputSchema } from "./log-schema.ts"
import { waitForNews } from "./news.ts"
import { isTerminal } from "./states.ts"
import { decodeObservation, type Observation } from "./tokens.ts"

type ObserveInput = z.output<typeof observeInputSchema>
type ObserveCall = Pick<Call, "ports" | "caller" | "signal" | "deadline" | "budget">

/** One Job of the list: readable, or why not. */
interface Item {
  readonly request: LogRequest
  readonly seen: Observation | undefined
  readonly log: LogReading | undefined
  readonly errorKind: string | undefined
}

/**
 * Looks at up to 8 Jobs at once; an unknown one does not fail the others, and a wait ends with the first that has
 * something (spec exec-and-jobs.md §7.4).
 */
export async function observeJobs(call: ObserveCall, input: ObserveInput): Promise<ObserveOutput> {
  const ids = input.items.map((item) => item.job_id)
  if (new Set(ids).size < ids.length) {
    throw invalidField("items", "conflict", "A Job is named twice in items. Name each once.")
  }
  const read = (): Promise<readonly Item[]> => Promise.all(input.items.map((item) => readItem(call, input, item)))
  if (input.wait_secs === undefined) return { results: await show(call, await read()) }
  const { value, outcome } = await waitForNews(call, {
    read,
    isNews: (items) => items.every(isUnreadable) || items.some((item) => isNewsOf(item, input.wake_on)),
    readings: (items) => items.flatMap((item) => (item.log === undefined ? [] : [item.log.reading])),
    wakeOn: input.wake_on,
    waitMs: input.wait_secs * 1000,
  })
  const ended = value.some((item) => item.log !== undefined && isTerminal(item.log.reading.job.status))
  const wait_outcome = outcome === "timeout" ? "timeout" : ended ? "terminal" : "changed"
  return { results: await show(call, value), wait_outcome }
}

async function readItem(call: ObserveCall, input: ObserveInput, item: ObserveInput["items"][number]): Promise<Item> {
  const { job_id: jobId, after_observation_token: token } = item
  const request = requestOf(call, input, item)
  try {
    const seen = token === undefined ? undefined : decodeObservation(await call.ports.store.instanceKey(), token, jobId)
    return { request, seen, log: await readStreams(call, jobId), errorKind: undefined }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { request, seen: undefined, log: undefined, errorKind: error.kind }
  }
}

function requestOf(call: ObserveCall, input: ObserveInput, item: ObserveInput["items"][number]): LogRequest {
  const token = item.after_observation_token
  return {
    jobId: item.job_id,
    query: {
      mode: token === undefined ? { kind: "tail", lines: input.tail_lines } : { kind: "token", token },
      streams: ["stdout", "stderr"],
      view: "clean",
      encoding: "text",
    },
    maxChars: logChars(call, input.items.length),
    until: timeUp(call),
  }
}

/** Characters of a reply that the logs of `jobs` Jobs may take each; the rest is for what stands around them. */
export function logChars({ budget }: Pick<Call, "budget">, jobs: number): number {
  const free = Math.min(budget.chars * LOG_SHARE, budget.chars - AROUND_REPLY - AROUND_JOB * jobs)
  return Math.max(jobs === 1 ? LEAST_OF_ONE : LEAST_OF_MANY, Math.floor(free / jobs))
}

const LOG_SHARE = 0.7
/** Characters that stand around the logs: of the reply, and of each Job with its two streams. */
const AROUND_REPLY = 250
const AROUND_JOB = 750
/** So much the reduction of the reply leaves of a text in any case; what it cuts would be passed by `next_byte`. */
const LEAST_OF_ONE = 200
const LEAST_OF_MANY = 40

const isUnreadable = (item: Item): boolean => item.log === undefined

/** Without a token everything is new: such an item never waits, unless it waits for an end. */
function isNewsOf(item: Item, wakeOn: "change" | "terminal"): boolean {
  if (item.log === undefined) return false
  if (item.seen === undefined && wakeOn === "change") return true
  return isNews(item.log, item.request, { seen: item.seen, wakeOn })
}

async function show(call: ObserveCall, items: readonly Item[]): Promise<ObserveOutput["results"]> {
  return Promise.all(
    items.map(async ({ request, seen, log, errorKind }) =>
      log === undefined
        ? { job_id: request.jobId, ok: false, ...(errorKind === undefined ? {} : { error_kind: errorKind }) }
        : { ...(await showLog(call, request, { log, seen })), ok: true },
    ),
  )
}
