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
  const giveUp = (): void => stop.abort()
  const stopTimer = Number.isFinite(wait.atMostMs)
    ? call.ports.clock.after(Math.max(0, wait.atMostMs), giveUp)
    : undefined
  call.signal.addEventListener("abort", giveUp)
  if (call.signal.aborted) giveUp()
  const stopTelling = tellProgress(call, runner, jobId)
  try {
    const facts = await runner.watch(jobId, { from: 0, until: "answer", signal: stop.signal })
    if (facts === undefined || facts.state === "ended") return { end: "ended", facts }
    return { end: call.signal.reason === "client_cancelled" ? "cancelled" : "hand_over", facts }
  } finally {
    call.signal.removeEventListener("abort", giveUp)
    stopTimer?.()
    stopTelling()
  }
}
