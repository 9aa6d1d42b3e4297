import type { Clock } from "./clock.ts"

/** Work that goes on beside calls until it is stopped; what fails is reported and costs nothing else. */
export interface Background {
  /** Aborts when it is stopped. */
  readonly signal: AbortSignal
  /** Runs until done or stopped. */
  run(work: () => Promise<void>): void
  /** Runs `work` every `everyMs`, for the first time after as long. */
  repeat(everyMs: number, work: () => Promise<void>): void
  /** Stops, and waits for what is under way. */
  stop(): Promise<void>
}

/** None runs yet. */
export function createBackground({
  clock,
  report,
}: {
  readonly clock: Pick<Clock, "sleep">
  report(error: unknown): void
}): Background {
  const stopping = new AbortController()
  const { signal } = stopping
  const tasks = new Set<Promise<void>>()

  function run(work: () => Promise<void>): void {
    const task = work()
      .catch((error: unknown) => {
        if (!signal.aborted) report(error)
      })
      .finally(() => tasks.delete(task))
    tasks.add(task)
  }

  return {
    signal,
    run,
    repeat(everyMs, work) {
      run(async () => {
        while (!signal.aborted) {
          await clock.sleep(everyMs, signal)
          await work().catch(report)
        }
      })
    },
    async stop() {
      stopping.abort()
      await Promise.all(tasks)
    },
  }
}
