/** Requests of one connection that are not answered yet. */
export class OpenRequests {
  readonly #counts = new Map<unknown, number>()
  #whenNone: (() => void)[] = []

  /** One more request; a host that uses an id twice is owed two answers. */
  add(id: unknown): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
  }

  /** One request less; an id that is not open is ignored. */
  settle(id: unknown): void {
    const count = this.#counts.get(id) ?? 0
    if (count > 1) this.#counts.set(id, count - 1)
    else this.#counts.delete(id)
    if (this.#counts.size === 0) this.#tell()
  }

  /** Nobody is left to be answered. */
  forget(): void {
    this.#counts.clear()
    this.#tell()
  }

  /** Resolves when none is open, or after `ms` milliseconds. */
  async none(ms: number): Promise<void> {
    if (this.#counts.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#whenNone.push(resolve)
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }

  #tell(): void {
    for (const resolve of this.#whenNone.splice(0)) resolve()
  }
}
