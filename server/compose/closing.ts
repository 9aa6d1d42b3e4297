/** What a composition must undo, last first, whatever fails on the way. */
export class Closing {
  readonly #steps: (() => void | Promise<void>)[] = []
  #running: Promise<void> | undefined

  /** Adds a step that runs before all earlier ones. */
  add(step: () => void | Promise<void>): void {
    this.#steps.push(step)
  }

  /** Runs every step once; the first fault is thrown after all have run. */
  run(): Promise<void> {
    this.#running ??= this.#runAll()
    return this.#running
  }

  async #runAll(): Promise<void> {
    const faults: unknown[] = []
    for (const step of this.#steps.toReversed()) {
      try {
        await step()
      } catch (error) {
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  }
}
