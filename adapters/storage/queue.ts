/** Lets one caller at a time pass, in the order of asking. */
export class Queue {
  readonly #waiting: (() => void)[] = []
  #isBusy = false

  /** Runs `work` after everything asked for before it has ended, however that ended; at once where nothing is going on. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isBusy = true
    try {
      return await work()
    } finally {
      // The turn is handed on: until the next one takes it, nobody else may.
      const next = this.#waiting.shift()
      if (next === undefined) this.#isBusy = false
      else next()
    }
  }
}
