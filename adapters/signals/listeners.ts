import type { ChangeListener, Topic } from "../../core/kernel/signals.ts"

/** Those who want to hear of changes, each of its own topics. */
export class Listeners {
  readonly #topics = new Map<ChangeListener, readonly Topic[]>()

  get count(): number {
    return this.#topics.size
  }

  add(topics: readonly Topic[], listener: ChangeListener): void {
    this.#topics.set(listener, topics)
  }

  remove(listener: ChangeListener): void {
    this.#topics.delete(listener)
  }

  /** Every topic that somebody listens to, each once. */
  topics(): ReadonlySet<Topic> {
    return new Set([...this.#topics.values()].flat())
  }

  /** Tells those who listen to a topic for which `isMeant` holds. */
  tell(isMeant: (topic: Topic) => boolean): void {
    for (const [listener, topics] of [...this.#topics]) if (topics.some(isMeant)) listener.changed()
  }
}
