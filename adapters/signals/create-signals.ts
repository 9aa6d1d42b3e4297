import type { Signals, Topic } from "../../core/kernel/signals.ts"
import { ForeignChanges, type ForeignParts } from "./foreign-changes.ts"
import { Listeners } from "./listeners.ts"
import { waitOnce } from "./wait-once.ts"
import { Watch } from "./watch.ts"

/** What `createSignals` needs. */
export interface SignalsParts extends Partial<ForeignParts> {
  /** A number that moves when another process has committed (`OpenedStore.foreignCommits`). */
  readonly foreignCommits: () => number
}

/** The `Signals` port and its end. */
export interface OpenedSignals extends Signals {
  /** Wakes every waiter and stops looking. */
  close(): void
}

/**
 * Wakes waiters at once for changes of this process, and within 250 ms for those of another one. Another process says only
 * that something changed: one question then tells for all waiters which versions moved, and who waits for something without
 * a version wakes and looks. One timer serves all waiters, none runs without them.
 */
export function createSignals({ foreignCommits, versions, seldom }: SignalsParts): OpenedSignals {
  const listeners = new Listeners()
  const foreign = { versions: versions ?? (async () => new Map()), seldom: seldom ?? new Map() }
  const changes = new ForeignChanges(foreign, () => performance.now())
  const watch = new Watch({ foreignCommits, changes, listeners })
  const signals: OpenedSignals = {
    notify: (changed: Topic) => listeners.tell((topic) => topic === changed),
    listen(topics, listener) {
      listeners.add(topics, listener)
      watch.start()
    },
    unlisten(listener) {
      listeners.remove(listener)
      if (listeners.count === 0) watch.stop()
    },
    wait: (topics, options) => waitOnce(signals, topics, options),
    close() {
      watch.stop()
      listeners.tell(() => true)
    },
  }
  return signals
}
