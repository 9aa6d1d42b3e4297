import type { Call } from "./call.ts"
import { ToolError } from "./error.ts"
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
  readonly waitMs: number
  /** Reads everything afresh, in a transaction of its own. */
  read(): Promise<T>
  /** Whether there is nothing left to wait for. */
  isOver(value: T): boolean
}

/**
 * Waits until stored state has something (spec messages.md §5): listens first and reads then, so that no change falls in
 * between; a signal is only a hint and spurious wakes look again. A timeout, and a shutdown, end it with a last read.
 */
export async function waitForState<T>(call: Pick<Call, "ports" | "signal">, wait: StateWait<T>): Promise<T> {
  const { clock, signals } = call.ports
  const until = clock.monotonic() + wait.waitMs
  for (;;) {
    const done = new AbortController()
    const stop = (): void => done.abort()
    call.signal.addEventListener("abort", stop)
    const timeoutMs = until - clock.monotonic()
    const woken = signals.wait(wait.topics, { timeoutMs, signal: done.signal }).catch(() => false)
    try {
      const value = await wait.read()
      if (wait.isOver(value)) return value
      if (call.signal.aborted || until - clock.monotonic() <= 0) {
        requireWanted(call)
        return value
      }
      await woken
    } finally {
      call.signal.removeEventListener("abort", stop)
      done.abort()
    }
  }
}
