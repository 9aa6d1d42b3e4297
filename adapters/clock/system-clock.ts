import { uptime } from "node:os"
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
    after(ms, fire) {
      const until = monotonic() + ms
      const look = (): void => {
        const left = until - monotonic()
        if (left <= 0) fire()
        else timer = startTimer(look, left)
      }
      let timer = startTimer(look, ms)
      return () => clearTimeout(timer)
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      const until = monotonic() + ms
      for (let left = ms; left > 0; left = until - monotonic()) {
        signal?.throwIfAborted()
        await pause(left, signal)
      }
    },
  }
}

function startTimer(fire: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(fire, Math.max(0, Math.min(Math.ceil(ms), LONGEST_TIMER_MS)))
}

/** One timer; an abort rejects with the signal's own reason. `signal` has not aborted yet. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = startTimer(() => {
      signal?.removeEventListener("abort", abort)
      resolve()
    }, ms)
    signal?.addEventListener("abort", abort, { once: true })
  })
}
