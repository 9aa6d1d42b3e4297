import type { Topic } from "../../core/kernel/signals.ts"

/** How topics are told apart when another process has committed. */
export interface ForeignParts {
  /** What the state of topics is now, as texts that change with it; topics that it leaves out have no version. */
  readonly versions: (topics: ReadonlySet<Topic>) => Promise<ReadonlyMap<Topic, string>>
  /** Topics without a version that are told of at most once in this time, ms: looking again costs every waiter a read. */
  readonly seldom: ReadonlyMap<Topic, number>
}

/** Which topics a commit of another process may have changed: all but those whose version stayed. */
export class ForeignChanges {
  readonly #parts: ForeignParts
  readonly #now: () => number
  #versions: ReadonlyMap<Topic, string> = new Map()
  /** When each seldom topic may be told next, and whether there is something to tell. */
  readonly #next = new Map<Topic, number>()
  readonly #owed = new Set<Topic>()

  constructor(parts: ForeignParts, now: () => number) {
    this.#parts = parts
    this.#now = now
  }

  /** Notes that another process has committed. */
  note(): void {
    for (const topic of this.#parts.seldom.keys()) this.#owed.add(topic)
  }

  /** The seldom topics whose time has come. */
  due(): ReadonlySet<Topic> {
    const now = this.#now()
    const due = new Set<Topic>()
    for (const topic of this.#owed) {
      if (now < (this.#next.get(topic) ?? 0)) continue
      due.add(topic)
      this.#owed.delete(topic)
      this.#next.set(topic, now + (this.#parts.seldom.get(topic) ?? 0))
    }
    return due
  }

  /** Those of the topics that may have changed since they were asked for last. Rejects when the store cannot be read. */
  async moved(topics: ReadonlySet<Topic>): Promise<ReadonlySet<Topic>> {
    const asked = new Set([...topics].filter((topic) => !this.#parts.seldom.has(topic)))
    const before = this.#versions
    const versions = await this.#parts.versions(asked)
    this.#versions = versions
    const isMoved = (topic: Topic): boolean => !versions.has(topic) || versions.get(topic) !== before.get(topic)
    return new Set([...asked].filter(isMoved))
  }
}
