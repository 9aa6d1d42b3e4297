import type { Signals, Topic } from "../../core/kernel/signals.ts"
import { Waiters } from "./waiters.ts"

/** How often a commit of another process is looked for while someone waits (≤ 250 ms until the waiter wakes). */
const LOOK_EVERY_MS = 100

/** What `createSignals` needs. */
export interface SignalsParts {
  /** A number that moves when another process has committed (`OpenedStore.foreignCommits`). */
  readonly foreignCommits: () => number
}

/** The `Signals` port and its end. */
export interface OpenedSignals extends Signals {
  /** Wakes every waiter and stops looking. */
  close(): void
}

/**
 * Wakes waiters at once for changes of this process, and within 250 ms for those of another one. Another process says
 * only that something changed, so every waiter wakes and looks. One timer serves all waiters, none runs without them.
 */
export function createSignals({ foreignCommits }: SignalsParts): OpenedSignals {
  const waiters = new Waiters()
  const watch = createWatch(foreignCommits, () => waiters.wakeAll())
  return {
    notify: (topic) => waiters.wake(topic),
    async wait(topics: readonly Topic[], { timeoutMs, signal }) {
      signal?.throwIfAborted()
      watch.start()
      try {
        return await waiters.add(topics, timeoutMs, signal)
      } finally {
        if (waiters.count === 0) watch.stop()
      }
    },
    close() {
      watch.stop()
      waiters.wakeAll()
    },
  }
}

/** `undefined` when the store cannot be read, which waiters then find out themselves. */
function attempt(read: () => number): number | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** One timer that compares a number with what it was; starting it twice is starting it once. */
function createWatch(read: () => number, onChange: () => void) {
  let timer: NodeJS.Timeout | undefined
  let seen: number | undefined
  const look = (): void => {
    const now = attempt(read)
    if (now !== undefined && now === seen) return
    seen = now
    onChange()
  }
  return {
    start(): void {
      if (timer !== undefined) return
      seen = attempt(read)
      timer = setInterval(look, LOOK_EVERY_MS)
      timer.unref()
    },
    stop(): void {
      clearInterval(timer)
      timer = undefined
    },
  }
}
