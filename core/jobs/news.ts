import type { Call } from "../kernel/call.ts"
import { requireWanted, waitBudget } from "../kernel/waiting.ts"
import type { JobReading } from "./reading.ts"
import { isTerminal } from "./states.ts"

/** How long a wait for a Job of another server sleeps before it looks at its output, which sends no signal. */
const FOREIGN_LOOK_MS = 250

/** What a wait waits for. */
export interface NewsWait<T> {
  /** Reads everything afresh. */
  read(): Promise<T>
  isNews(value: T): boolean
  /** The Jobs to watch, as they were read. */
  readings(value: T): readonly JobReading[]
  readonly wakeOn: "change" | "terminal"
  readonly waitMs: number
}

/**
 * Waits until something is new (spec exec-and-jobs.md §7.3): at once if it is already, else at the next change, without
 * polling for Jobs of this process. A timeout, and a shutdown, are no errors. Never outlives the deadline less 1 s.
 */
export async function waitForNews<T>(
  call: Pick<Call, "ports" | "signal" | "deadline">,
  wait: NewsWait<T>,
): Promise<{ readonly value: T; readonly outcome: "news" | "timeout" }> {
  const { clock } = call.ports
  const until = clock.monotonic() + waitBudget(call, wait.waitMs)
  let value = await wait.read()
  for (;;) {
    if (wait.isNews(value)) return { value, outcome: "news" }
    const left = until - clock.monotonic()
    if (left <= 0 || call.signal.aborted) return { value, outcome: requireWanted(call) }
    const next = await nextChange(call, wait, { value, left })
    value = next
  }
}

/** Listens first and reads then, so that no change falls in between; gives what was read after the change. */
async function nextChange<T>(
  call: Pick<Call, "ports" | "signal">,
  wait: NewsWait<T>,
  { value, left }: { readonly value: T; readonly left: number },
): Promise<T> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, call.signal])
  const known = wait.readings(value)
  const foreign = known.some(({ job, facts }) => facts === undefined && !isTerminal(job.status))
  const timeoutMs = foreign && wait.wakeOn === "change" ? Math.min(left, FOREIGN_LOOK_MS) : left
  const topics = known.map(({ job }) => `job:${job.jobId}` as const)
  const signalled = call.ports.signals.wait(topics, { timeoutMs, signal }).catch(() => false)
  try {
    const fresh = await wait.read()
    if (wait.isNews(fresh)) return fresh
    const until = wait.wakeOn === "terminal" ? "end" : "change"
    const watches = wait
      .readings(fresh)
      .flatMap(({ job, facts, runner }) =>
        facts === undefined || (facts.state === "ended" && !facts.outputOpen)
          ? []
          : [runner.watch(job.jobId, { from: facts.revision, until, signal })],
      )
    await Promise.race([signalled, ...watches])
  } finally {
    done.abort()
  }
  return wait.read()
}
