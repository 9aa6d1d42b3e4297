import { uptime } from "node:os"
import { setTimeout as delay } from "node:timers/promises"
import type { Clock } from "../../core/kernel/clock.ts"
import type { ClockReadings } from "./suspension.ts"
import { SuspensionCounter } from "./suspension.ts"

/** Timers stand still while a machine sleeps; a long sleep is cut, so that its end is noticed within this time. */
const LONGEST_TIMER_MS = 30_000

const systemReadings: ClockReadings = {
  running: () => performance.now(),
  uptime: () => uptime() * 1000,
  wall: () => Date.now(),
}

/** The operating system's clocks (design §5). */
export function createSystemClock(readings: ClockReadings = systemReadings): Clock {
  const counter = new SuspensionCounter(readings)
  const monotonic = () => counter.now()
  return {
    now: () => Math.trunc(readings.wall()),
    monotonic,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      const until = monotonic() + ms
      for (let left = ms; left > 0; left = until - monotonic()) {
        await pause(Math.min(Math.ceil(left), LONGEST_TIMER_MS), signal)
      }
    },
  }
}

/** One timer; an abort rejects with the signal's own reason rather than the timer's. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal && { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
