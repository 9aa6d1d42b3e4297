/** What is over and not older than the place in the stream, so that nobody is told of it twice. */
export class RecentlyOver {
  /** When each was created, or closed, ms. */
  readonly #marks = new Map<string, number>()

  get marks(): readonly string[] {
    return [...this.#marks.keys()]
  }

  has(mark: string): boolean {
    return this.#marks.has(mark)
  }

  add(mark: string, at: number): void {
    this.#marks.set(mark, at)
  }

  /** A thing of that time cannot be found any more. */
  forgetBefore(time: number): void {
    for (const [mark, at] of this.#marks) if (at < time) this.#marks.delete(mark)
  }
}
