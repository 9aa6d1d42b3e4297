import process from "node:process"
import type { Terminal } from "./terminal.ts"

const SIGNALS = ["SIGINT", "SIGTERM"] as const

/** What was started: how to close it, and when it ends by itself. */
export interface Started {
  close(): Promise<void>
  readonly ended?: Promise<void>
}

/**
 * Starts something and waits for SIGINT or SIGTERM (or its own end), then closes it; a second signal ends the process at once
 * with exit code 1 (spec doors.md §2.7). A terminal is told `stopping`, if it is not empty. It listens before it starts: a signal that comes meanwhile closes what was started.
 */
export async function untilStopped(
  terminal: Terminal,
  start: () => Promise<Started>,
  stopping = "Stopping: waiting for calls in flight; a second signal ends at once.",
): Promise<void> {
  const stop = Promise.withResolvers<void>()
  let signals = 0
  const onSignal = (): void => {
    signals += 1
    if (signals > 1) process.exit(1)
    // A log collector on the other end expects JSON lines alone.
    if (stopping !== "" && terminal.stderr.isTTY === true) terminal.stderr.write(`${stopping}\n`)
    stop.resolve()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    const { close, ended } = await start()
    await (ended === undefined ? stop.promise : Promise.race([stop.promise, ended]))
    await close()
  } finally {
    // A listener would keep the process alive on some runtimes; what is closed needs none.
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
