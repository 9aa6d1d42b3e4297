import type { Clock } from "../../core/kernel/clock.ts"

/** First notice and every gap stay below the 10 s that hosts are promised (spec doors.md §4.3). */
const INTERVAL_MS = 8_000
const LEAST_GAP_MS = 1_000

/** Sends one progress notification; rejections are swallowed by the caller. */
export type SendProgress = (notice: { readonly progress: number; readonly message: string }) => Promise<void>

/** Progress of one call for a host that sent a token. */
export interface ProgressReporter {
  /** A fixed fact, ≤ 120 characters; sent at most once a second. */
  update(text: string): void
  /** Nothing is sent afterwards. */
  stop(): void
}

/**
 * Reports elapsed seconds, strictly rising, at least every 10 s and at most once a second. A failed notification is
 * swallowed: the connection's own end is what aborts a call, so the first abort reason wins.
 */
export function reportProgress(clock: Pick<Clock, "monotonic">, send: SendProgress): ProgressReporter {
  const startedAt = clock.monotonic()
  let lastSentAt = startedAt
  let lastProgress = 0
  let text = "running"
  let stopped = false

  const emit = (): void => {
    const now = clock.monotonic()
    const progress = Math.round(now - startedAt) / 1000
    if (stopped || progress <= lastProgress) return
    lastSentAt = now
    lastProgress = progress
    send({ progress, message: text.slice(0, 120) }).catch(() => undefined)
  }
  const timer = setInterval(emit, INTERVAL_MS)
  timer.unref()

  return {
    update(next) {
      text = next
      if (clock.monotonic() - lastSentAt >= LEAST_GAP_MS) emit()
    },
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}
