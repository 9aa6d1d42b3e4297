import type { AbortReason, Deadline } from "../call.ts"
import type { AnyToolDefinition } from "../definition.ts"
import type { Sleeper } from "../rest.ts"
import type { ChangeListener } from "../signals.ts"

/** One call in flight: whom to tell when its caller cancels, goes away, or the server shuts down. */
export class ActiveCall implements Sleeper {
  readonly deadline: Deadline
  #controller: AbortController | undefined
  #reason: AbortReason | undefined
  readonly #heard: AbortReason[] = []
  #listener: ChangeListener | undefined
  /** Set when it rests. */
  restingSince: number | undefined
  #heeds: (reason: AbortReason) => boolean = () => true

  constructor(deadline: Deadline) {
    this.deadline = deadline
  }

  /** From the handler on, only the reasons that its tool heeds reach it, also those heard before (spec kernel.md §10). */
  enter(definition: AnyToolDefinition): void {
    this.#heeds = (reason) => heeds(definition, reason)
    this.#reason = this.#heard.find(this.#heeds)
  }

  /** The first reason wins. */
  abort(reason: AbortReason): void {
    this.#heard.push(reason)
    if (this.#reason !== undefined || !this.#heeds(reason)) return
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#listener?.changed()
  }

  heed(listener: ChangeListener | undefined): void {
    this.#listener = listener
  }

  get reason(): AbortReason | undefined {
    return this.#reason
  }

  /** Made when someone first asks for it: most calls end before anyone does. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }
}

/**
 * Whether a tool acts on an abort (spec kernel.md §10): observing tools stop for their caller, and waiting ones end early at
 * shutdown; mutations are never torn; executing tools go on without their caller, so that a shutdown after it is still heard.
 */
function heeds({ effect, deadline }: AnyToolDefinition, reason: AbortReason): boolean {
  if (effect === "mutate") return false
  if (effect === "execute") return reason !== "client_gone"
  return reason !== "shutdown" || deadline === "wait"
}
