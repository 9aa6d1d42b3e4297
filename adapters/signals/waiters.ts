import type { Topic } from "../../core/kernel/signals.ts"

interface Waiter {
  readonly topics: ReadonlySet<Topic>
  readonly wake: () => void
}

/** Those who wait for a change, each for its own topics. */
export class Waiters {
  readonly #waiters = new Set<Waiter>()

  get count(): number {
    return this.#waiters.size
  }

  /** Resolves `true` when woken, `false` after `timeoutMs`; rejects with the signal's reason. */
  add(topics: readonly Topic[], timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.#waiters.delete(waiter)
        clearTimeout(timer)
        signal?.removeEventListener("abort", onAbort)
        settle()
      }
      const onAbort = (): void => end(() => reject(signal?.reason))
      const waiter: Waiter = { topics: new Set(topics), wake: () => end(() => resolve(true)) }
      const timer = setTimeout(() => end(() => resolve(false)), Math.max(0, Math.min(timeoutMs, 2 ** 31 - 1)))
      signal?.addEventListener("abort", onAbort, { once: true })
      this.#waiters.add(waiter)
    })
  }

  /** Wakes those who wait for the topic. */
  wake(topic: Topic): void {
    for (const waiter of [...this.#waiters]) if (waiter.topics.has(topic)) waiter.wake()
  }

  wakeAll(): void {
    for (const waiter of [...this.#waiters]) waiter.wake()
  }
}
