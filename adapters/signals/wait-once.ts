import type { Signals, Topic } from "../../core/kernel/signals.ts"

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Waits for the next change of one of the topics: `true`, or `false` after `timeoutMs`; rejects with the signal's reason. */
export async function waitOnce(
  signals: Pick<Signals, "listen" | "unlisten">,
  topics: readonly Topic[],
  { timeoutMs, signal }: Parameters<Signals["wait"]>[1],
): Promise<boolean> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      signals.unlisten(listener)
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(signal?.reason))
    const listener = { changed: () => end(() => resolve(true)) }
    const timer = setTimeout(() => end(() => resolve(false)), Math.max(0, Math.min(timeoutMs, LONGEST_TIMER_MS)))
    signal?.addEventListener("abort", onAbort, { once: true })
    signals.listen(topics, listener)
  })
}
