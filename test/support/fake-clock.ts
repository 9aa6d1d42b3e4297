import type { Clock } from "../../core/kernel/clock.ts"

interface Sleeper {
  readonly at: number
  wake(): void
}

/** A clock that stands still until a test advances it; wall and monotonic move together unless the wall is set. */
export class FakeClock implements Clock {
  #wall: number
  #monotonic = 0
  #sleepers: Sleeper[] = []

  constructor(wall = 1_700_000_000_000) {
    this.#wall = wall
  }

  now(): number {
    return this.#wall
  }

  monotonic(): number {
    return this.#monotonic
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (ms <= 0) return resolve()
      const sleeper = { at: this.#monotonic + ms, wake: resolve }
      this.#sleepers.push(sleeper)
      signal?.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
        reject(signal.reason)
      })
    })
  }

  after(ms: number, fire: () => void): () => void {
    const sleeper = { at: this.#monotonic + ms, wake: fire }
    this.#sleepers.push(sleeper)
    return () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper)
    }
  }

  /** Moves both clocks and lets everything that woke run as far as it can without real input. */
  async advance(ms: number): Promise<void> {
    this.#wall += ms
    this.#monotonic += ms
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#monotonic)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#monotonic)
    for (const sleeper of due) sleeper.wake()
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** Sets the wall clock alone, as an operator or time service does. */
  setWall(wall: number): void {
    this.#wall = wall
  }
}
