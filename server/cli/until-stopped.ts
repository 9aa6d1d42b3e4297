import process from "node:process"
import type { Terminal } from "./terminal.ts"

/**
 * Waits for SIGINT or SIGTERM (or `ended`), then closes; a second signal ends the process at once with exit code 1
 * (spec doors.md §2.7).
 */
export async function untilStopped(
  terminal: Terminal,
  close: () => Promise<void>,
  ended?: Promise<void>,
): Promise<void> {
  let signals = 0
  const stop = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        signals += 1
        if (signals > 1) process.exit(1)
        terminal.stderr.write("Stopping: waiting for calls in flight; a second signal ends at once.\n")
        resolve()
      })
    }
  })
  await (ended === undefined ? stop : Promise.race([stop, ended]))
  await close()
}
