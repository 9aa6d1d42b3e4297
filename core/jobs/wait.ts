import type { Call } from "../kernel/call.ts"
import { tellProgress } from "./progress.ts"
import type { JobRunner, RunFacts } from "./runner.ts"

/** Why a call stopped waiting for its command. */
export type WaitEnd = "ended" | "hand_over" | "cancelled"

/**
 * Waits until the execution has ended, the call has to answer, or its caller cancels (spec kernel.md §10). A caller that
 * is gone changes nothing; a shutdown hands over now.
 */
export async function waitForEnd(
  call: Call,
  runner: JobRunner,
  wait: {
    /** As its host told of it when it began. */
    readonly begun: RunFacts
    readonly atMostMs: number
  },
): Promise<{ readonly end: WaitEnd; readonly facts: RunFacts | undefined }> {
  const { begun } = wait
  if (begun.state === "ended") return { end: "ended", facts: begun }
  const { jobId } = begun
  const stop = new AbortController()
  let cancelled = false
  const heed = (): void => {
    cancelled = call.signal.reason === "client_cancelled"
    stop.abort()
  }
  const timer = startTimer(call, wait.atMostMs, stop)
  call.signal.addEventListener("abort", heed)
  if (call.signal.aborted) heed()
  const over = new AbortController()
  const telling = tellProgress(call, runner, { jobId, done: over.signal })
  try {
    const facts = await runner.watch(jobId, { from: 0, until: "answer", signal: stop.signal })
    if (facts === undefined || facts.state === "ended") return { end: "ended", facts }
    return { end: cancelled ? "cancelled" : "hand_over", facts }
  } finally {
    call.signal.removeEventListener("abort", heed)
    timer.abort()
    over.abort()
    await telling
  }
}

function startTimer(call: Call, ms: number, stop: AbortController): AbortController {
  const timer = new AbortController()
  if (Number.isFinite(ms)) {
    call.ports.clock.sleep(Math.max(0, ms), timer.signal).then(
      () => stop.abort(),
      // Only this timer's own end rejects it.
      () => undefined,
    )
  }
  return timer
}
