/** Lets one caller at a time pass, in the order of asking. */
export class Queue {
  #last: Promise<void> = Promise.resolve()

  /** Runs `work` after everything asked for before it has ended, however that ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }
}
