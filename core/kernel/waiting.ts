import type { Call } from "./call.ts"
import { ToolError } from "./error.ts"
import type { ChangeListener, Topic } from "./signals.ts"

/** A waiting tool ends this long before its call's deadline (spec kernel.md §10). */
const REPLY_TIME_MS = 1000

/** Milliseconds that a wait may last: what was asked for, less what the call's deadline needs for the reply. */
export function waitBudget(call: Pick<Call, "deadline">, askedMs: number): number {
  return Math.max(0, Math.min(askedMs, call.deadline.remaining() - REPLY_TIME_MS))
}

/** A shutdown ends a wait as a timeout does; a caller who is gone wants no answer. @throws ToolError `cancelled` */
export function requireWanted({ signal }: Pick<Call, "signal">): "timeout" {
  if (!signal.aborted || signal.reason === "shutdown") return "timeout"
  throw new ToolError("cancelled", "The caller stopped waiting.", { details: { by: "caller" } })
}

/** What a wait for stored state waits for. */
export interface StateWait<T> {
  readonly topics: readonly Topic[]
  readonly waitMs: number
  /** Reads everything afresh, in a transaction of its own. */
  read(): Promise<T>
  /** Whether there is nothing left to wait for. */
  isOver(value: T): boolean
}

/** What a wait needs of its call. */
export type WaitingCall = Pick<Call, "ports" | "signal" | "accessUntil">

/**
 * Waits until stored state has something (spec messages.md §5): listens first and reads then, so that no change falls in
 * between; a signal is only a hint and spurious wakes look again. A timeout, and a shutdown, end it with a last read. It looks
 * again, too, when the caller's credential expires.
 */
export function waitForState<T>(call: WaitingCall, wait: StateWait<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    new StateWaiter(call, wait, { resolve, reject }).start()
  })
}

interface Settling<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** One wait. Asleep it is this object and a timer, no suspended call: a thousand of them are to cost little. */
class StateWaiter<T> implements ChangeListener {
  readonly #call: WaitingCall
  readonly #wait: StateWait<T>
  readonly #settling: Settling<T>
  readonly #until: number
  #isReading = false
  #hasChanged = false
  #stopTimer: (() => void) | undefined

  constructor(call: WaitingCall, wait: StateWait<T>, settling: Settling<T>) {
    this.#call = call
    this.#wait = wait
    this.#settling = settling
    this.#until = call.ports.clock.monotonic() + wait.waitMs
  }

  start(): void {
    const { ports, signal } = this.#call
    ports.signals.listen(this.#wait.topics, this)
    signal.addEventListener("abort", this)
    this.changed()
  }

  /** A change, an abort or a timer: looks again, once more if it is looking now. */
  changed(): void {
    this.#hasChanged = true
    if (!this.#isReading) void this.#look()
  }

  handleEvent(): void {
    this.changed()
  }

  async #look(): Promise<void> {
    this.#isReading = true
    this.#stopTimer?.()
    try {
      while (this.#hasChanged) {
        this.#hasChanged = false
        // Asked before the read: what is read after the end of the wait is the last look.
        const isLast = this.#call.signal.aborted || this.#remainingMs() <= 0
        const value = await this.#wait.read()
        if (this.#wait.isOver(value)) return this.#end(() => this.#settling.resolve(value))
        if (isLast) {
          requireWanted(this.#call)
          return this.#end(() => this.#settling.resolve(value))
        }
      }
      this.#sleep()
    } catch (error) {
      this.#end(() => this.#settling.reject(error))
    } finally {
      this.#isReading = false
    }
  }

  #remainingMs(): number {
    return this.#until - this.#call.ports.clock.monotonic()
  }

  #sleep(): void {
    const { ports, accessUntil } = this.#call
    const accessMs = accessUntil === undefined ? Number.POSITIVE_INFINITY : accessUntil - ports.clock.now()
    // An expiry that has passed was looked at; a wall clock that was set back must not make it a busy loop.
    const ms = accessMs > 0 ? Math.min(this.#remainingMs(), accessMs) : this.#remainingMs()
    this.#stopTimer = ports.clock.after(Math.max(0, ms), () => this.changed())
  }

  #end(settle: () => void): void {
    this.#stopTimer?.()
    this.#call.signal.removeEventListener("abort", this)
    this.#call.ports.signals.unlisten(this)
    settle()
  }
}
