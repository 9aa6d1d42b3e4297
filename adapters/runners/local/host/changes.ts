/** Wakes everyone who waits for the next change of one thing. */
export interface Changes {
  notify(): void
  /** Resolves at the next change, or when the signal aborts. */
  next(signal?: AbortSignal): Promise<void>
}

/** One list of waiters; waiting costs nothing until something changes. */
export function createChanges(): Changes {
  let waiters = new Set<() => void>()
  return {
    notify() {
      if (waiters.size === 0) return
      const woken = waiters
      waiters = new Set()
      for (const wake of woken) wake()
    },
    next(signal) {
      return new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve()
          return
        }
        const wake = (): void => {
          waiters.delete(wake)
          signal?.removeEventListener("abort", wake)
          resolve()
        }
        waiters.add(wake)
        signal?.addEventListener("abort", wake)
      })
    },
  }
}
