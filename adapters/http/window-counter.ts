import type { Clock } from "../../core/kernel/clock.ts"

const WINDOW_MS = 60_000
/** Names counted apart in one window; those beyond share one count, so that strangers cannot fill the memory. */
const MAX_NAMES = 50_000
const OVERFLOW = ""

/** Counts events by name in fixed windows of one minute of the monotonic clock; one instance a server and purpose. */
export class WindowCounter {
  readonly #clock: Pick<Clock, "monotonic">
  readonly #maxNames: number
  #window = -1
  #counts = new Map<string, number>()

  constructor(clock: Pick<Clock, "monotonic">, maxNames: number = MAX_NAMES) {
    this.#clock = clock
    this.#maxNames = maxNames
  }

  /** Counts one event of `name` and returns how many this window has seen, this one included. */
  count(name: string): number {
    this.#turn()
    const key = this.#counts.has(name) || this.#counts.size < this.#maxNames ? name : OVERFLOW
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count
  }

  /** Milliseconds until the window ends and every count is zero again; 1..60,000. */
  remainingMs(): number {
    return WINDOW_MS - Math.floor(this.#clock.monotonic() % WINDOW_MS)
  }

  #turn(): void {
    const window = Math.floor(this.#clock.monotonic() / WINDOW_MS)
    if (window === this.#window) return
    this.#window = window
    this.#counts = new Map()
  }
}
