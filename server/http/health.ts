import type { Clock } from "../../core/kernel/clock.ts"

/** What `/health` says (spec doors.md §2.1): 200 for `ok`, else 503. */
export type HealthStatus = "ok" | "starting" | "draining" | "failing"

const CACHED_MS = 1000

/** Answers `/health` from a store probe that runs at most once a second, however many ask. */
export function createHealth(options: {
  readonly clock: Pick<Clock, "monotonic">
  readonly probeStore: () => Promise<void>
  readonly draining: () => boolean
  readonly ready: () => boolean
}): () => Promise<HealthStatus> {
  let probedAt = Number.NEGATIVE_INFINITY
  let probed: Promise<HealthStatus> = Promise.resolve("ok")
  return async () => {
    if (options.draining()) return "draining"
    if (!options.ready()) return "starting"
    if (options.clock.monotonic() - probedAt >= CACHED_MS) {
      probedAt = options.clock.monotonic()
      probed = options.probeStore().then(
        () => "ok",
        () => "failing",
      )
    }
    return probed
  }
}
