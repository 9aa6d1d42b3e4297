import process from "node:process"
import type { Terminal } from "./terminal.ts"

const SIGNALS = ["SIGINT", "SIGTERM"] as const

/**
 * Waits for SIGINT or SIGTERM (or `ended`), then closes; a second signal ends the process at once with exit code 1
 * (spec doors.md §2.7).
 */
export async function untilStopped(
  terminal: Terminal,
  close: () => Promise<void>,
  ended?: Promise<void>,
): Promise<void> {
  const stop = Promise.withResolvers<void>()
  let signals = 0
  const onSignal = (): void => {
    signals += 1
    if (signals > 1) process.exit(1)
    // A log collector on the other end expects JSON lines alone.
    if (terminal.stderr.isTTY === true) {
      terminal.stderr.write("Stopping: waiting for calls in flight; a second signal ends at once.\n")
    }
    stop.resolve()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    await (ended === undefined ? stop.promise : Promise.race([stop.promise, ended]))
    await close()
  } finally {
    // A listener would keep the process alive on some runtimes; what is closed needs none.
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
