import type { Topic } from "../../core/kernel/signals.ts"
import type { ForeignChanges } from "./foreign-changes.ts"
import type { Listeners } from "./listeners.ts"

/** How often a commit of another process is looked for while someone waits (≤ 250 ms until the waiter wakes). */
const LOOK_EVERY_MS = 100

/** What a watch looks at and whom it tells. */
export interface WatchParts {
  readonly foreignCommits: () => number
  readonly changes: ForeignChanges
  readonly listeners: Listeners
}

/** One timer for all who wait: it looks whether another process has committed. Starting it twice is starting it once. */
export class Watch {
  readonly #parts: WatchParts
  #timer: NodeJS.Timeout | undefined
  #seen: number | undefined
  #isAsking = false
  #isDirty = false

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#timer !== undefined) return
    this.#seen = this.#read()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** `undefined` when the store cannot be read, which waiters then find out themselves. */
  #read(): number | undefined {
    try {
      return this.#parts.foreignCommits()
    } catch {
      return undefined
    }
  }

  #look(): void {
    const { changes, listeners } = this.#parts
    const now = this.#read()
    if (now === undefined) {
      listeners.tell(() => true)
      return
    }
    if (now !== this.#seen) {
      changes.note()
      this.#isDirty = true
    }
    this.#seen = now
    const due = changes.due()
    if (due.size > 0) listeners.tell((topic) => due.has(topic))
    if (this.#isDirty && !this.#isAsking) void this.#ask()
  }

  /** One question at a time; what comes meanwhile is asked at the next look. */
  async #ask(): Promise<void> {
    const { changes, listeners } = this.#parts
    this.#isDirty = false
    this.#isAsking = true
    try {
      const moved: ReadonlySet<Topic> = await changes.moved(listeners.topics())
      listeners.tell((topic) => moved.has(topic))
    } catch {
      // Whoever waits reads for itself and says what is wrong.
      listeners.tell(() => true)
    } finally {
      this.#isAsking = false
    }
  }
}
