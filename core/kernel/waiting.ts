import type { Call } from "./call.ts"
import { ToolError } from "./error.ts"
import { Rest } from "./rest.ts"
import type { Topic } from "./signals.ts"

/** A waiting tool ends this long before its call's deadline (spec kernel.md §10). */
const REPLY_TIME_MS = 1000

/** Milliseconds that a wait may last: what was asked for, less what the call's deadline needs for the reply. */
export function waitBudget(call: Pick<Call, "deadline">, askedMs: number): number {
  return Math.max(0, Math.min(askedMs, call.deadline.remaining() - REPLY_TIME_MS))
}

/** A shutdown ends a wait as a timeout does; a caller who is gone wants no answer. @throws ToolError `cancelled` */
export function requireWanted({ signal }: Pick<Call, "signal">): "timeout" {
  if (!signal.aborted || signal.reason === "shutdown") return "timeout"
  throw new ToolError("cancelled", "The caller stopped waiting.", { details: { by: "caller" } })
}

/** What a wait for stored state waits for. */
export interface StateWait<T> {
  readonly topics: readonly Topic[]
  /** Monotonic clock, ms, when it began: in an earlier run of a call that rested. */
  readonly since: number
  /** How long it lasts from now on. */
  readonly waitMs: number
  /** Reads everything afresh, in a transaction of its own. */
  read(): Promise<T>
  /** Whether there is nothing left to wait for. */
  isOver(value: T): boolean
}

/** What a wait needs of its call. */
export type WaitingCall = Pick<Call, "ports" | "signal" | "accessUntil" | "sleeper" | "mayRest">

/**
 * Waits until stored state has something (spec messages.md §5): listens first and reads then, so that no change falls in
 * between; a signal is only a hint and spurious wakes look again. A timeout, and a shutdown, end it with a last read. It looks
 * again, too, when the caller's credential expires. @throws Rest where the call may rest and there is nothing yet
 */
export async function waitForState<T>(call: WaitingCall, wait: StateWait<T>): Promise<T> {
  const { ports, sleeper, mayRest } = call
  const until = ports.clock.monotonic() + wait.waitMs
  for (;;) {
    const rest = new Rest({ ports, topics: wait.topics, since: wait.since })
    const seen = await lookOnce(call, wait, until).catch((error: unknown) => {
      rest.end()
      throw error
    })
    if (seen !== undefined) {
      rest.end()
      return seen.value
    }
    const asleep = rest.atMost(longestSleepMs(call, until))
    if (mayRest) throw asleep
    await new Promise<void>((resolve) => asleep.sleep(sleeper, resolve))
  }
}

/** What there is, where that ends the wait. */
async function lookOnce<T>(
  call: WaitingCall,
  { read, isOver }: StateWait<T>,
  until: number,
): Promise<{ readonly value: T } | undefined> {
  // Asked before the read: what is read after the end of the wait is the last look.
  const isLast = call.sleeper.reason !== undefined || until - call.ports.clock.monotonic() <= 0
  const value = await read()
  if (isOver(value)) return { value }
  if (!isLast) return undefined
  requireWanted(call)
  return { value }
}

function longestSleepMs({ ports: { clock }, accessUntil }: WaitingCall, until: number): number {
  const leftMs = until - clock.monotonic()
  const accessMs = accessUntil === undefined ? Number.POSITIVE_INFINITY : accessUntil - clock.now()
  // An expiry that has passed was looked at; a wall clock that was set back must not make it a busy loop.
  return Math.max(0, accessMs > 0 ? Math.min(leftMs, accessMs) : leftMs)
}
