import type { AbortReason, CallPorts } from "./call.ts"
import type { ChangeListener, Topic } from "./signals.ts"

/** A call in flight, as what lets it sleep sees it. */
export interface Sleeper {
  /** Monotonic clock, ms, when the wait began for which it rested; absent in its first run. */
  readonly restingSince: number | undefined
  /** Why it is to end early, if it is. */
  readonly reason: AbortReason | undefined
  /** Tells this listener, and no earlier one, when the call is to end early. */
  heed(listener: ChangeListener | undefined): void
}

/** What a rest is made of. */
export interface RestParts {
  readonly ports: Pick<CallPorts, "clock" | "signals">
  readonly topics: readonly Topic[]
  /** Monotonic clock, ms, when the wait began. */
  readonly since: number
}

/**
 * A wait for stored state between two looks; it listens from its making on, so that no change falls between. A handler throws it
 * where its call may rest: the call is then run again, from its first step, and until then nothing of it is held but
 * this and what was asked (spec messages.md §12).
 */
export class Rest implements ChangeListener {
  readonly since: number
  readonly #ports: RestParts["ports"]
  #ms = 0
  #hasChanged = false
  #stopTimer: (() => void) | undefined
  #sleeper: Sleeper | undefined
  #resume: (() => void) | undefined

  constructor({ ports, topics, since }: RestParts) {
    this.since = since
    this.#ports = ports
    ports.signals.listen(topics, this)
  }

  /** Sleeps at most so long. */
  atMost(ms: number): this {
    this.#ms = ms
    return this
  }

  /** Calls `resume` once: at a change since its making, when the call is to end early, or after its time. */
  sleep(sleeper: Sleeper, resume: () => void): void {
    this.#sleeper = sleeper
    this.#resume = resume
    sleeper.heed(this)
    if (this.#hasChanged || sleeper.reason !== undefined) this.#wake()
    else this.#stopTimer = this.#ports.clock.after(this.#ms, () => this.#wake())
  }

  changed(): void {
    this.#hasChanged = true
    this.#wake()
  }

  /** Listens no more. */
  end(): void {
    this.#stopTimer?.()
    this.#sleeper?.heed(undefined)
    this.#ports.signals.unlisten(this)
  }

  #wake(): void {
    const resume = this.#resume
    if (resume === undefined) return
    this.#resume = undefined
    this.end()
    resume()
  }
}
