import type { Deadline } from "./call.ts"
import type { Clock } from "./clock.ts"

/** A process is handed over at once when less than this remains at the start of its handler (spec kernel.md §10). */
const TOO_LATE_TO_WAIT_MS = 3000
const MIN_LEAD_MS = 2000
const LEAD_SHARE = 0.05

/** What a door said about time. */
export interface DeadlineRequest {
  /** Time for the whole call, ms; absent = no end. */
  readonly wholeMs: number | undefined
  /** Monotonic clock when the door had read the request. */
  readonly receivedAt: number
}

/** The clock of a call from when its door had read the request (spec kernel.md §10). */
export function createDeadline(clock: Clock, { wholeMs, receivedAt }: DeadlineRequest): Deadline {
  if (wholeMs === undefined) return NO_DEADLINE
  const at = receivedAt + wholeMs
  const handoverAt = at - Math.max(MIN_LEAD_MS, wholeMs * LEAD_SHARE)
  return { at, handoverAt, remaining: () => Math.max(0, at - clock.monotonic()) }
}

/** The deadline as a tool that hands over sees it when its handler starts: too little time left means now. */
export function atHandlerStart(deadline: Deadline, clock: Clock): Deadline {
  if (deadline.remaining() >= TOO_LATE_TO_WAIT_MS) return deadline
  return { ...deadline, handoverAt: Math.min(deadline.handoverAt, clock.monotonic()) }
}

const NO_DEADLINE: Deadline = Object.freeze({
  at: Number.POSITIVE_INFINITY,
  handoverAt: Number.POSITIVE_INFINITY,
  remaining: () => Number.POSITIVE_INFINITY,
})
