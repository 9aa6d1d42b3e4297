/** Most claims that wait for one shell (spec shells.md §3). */
export const MAX_WAITING = 16

/** The line before one shell: one command at a time, first come first served. */
export interface ClaimQueue<T> {
  readonly waiting: number
  readonly holder: T | undefined
  /** Takes the shell if nobody has it and nobody waits. */
  tryTake(claim: T): boolean
  /** Takes the shell from its holder, past everyone who waits. */
  takeOver(claim: T): void
  /** Waits for it; rejects with what `refuse` made of it. Throws `RangeError` when the line is full. */
  wait(claim: T, signal?: AbortSignal): Promise<"taken" | "aborted">
  /** The holder is done: the next one has it. Of anyone else nothing happens. */
  pass(claim: T): void
  /** Everyone who waits is refused, now and later. */
  refuse(error: () => Error): void
}

interface Waiter<T> {
  readonly claim: T
  wake(result: "taken" | "aborted"): void
  fail(error: Error): void
}

/** An empty line before a free shell. */
export function createClaimQueue<T>(): ClaimQueue<T> {
  let holder: T | undefined
  let line: Waiter<T>[] = []

  return {
    get waiting() {
      return line.length
    },
    get holder() {
      return holder
    },
    tryTake(claim) {
      if (holder !== undefined || line.length > 0) return false
      holder = claim
      return true
    },
    takeOver(claim) {
      holder = claim
    },
    wait(claim, signal) {
      return new Promise((resolve, reject) => {
        if (line.length >= MAX_WAITING) {
          reject(new RangeError("the line is full"))
          return
        }
        const settle = (): void => {
          line = line.filter((other) => other !== waiter)
          signal?.removeEventListener("abort", abort)
        }
        const abort = (): void => waiter.wake("aborted")
        const waiter: Waiter<T> = {
          claim,
          wake(result) {
            settle()
            resolve(result)
          },
          fail(error) {
            settle()
            reject(error)
          },
        }
        line.push(waiter)
        if (signal?.aborted === true) abort()
        else signal?.addEventListener("abort", abort)
      })
    },
    pass(claim) {
      if (claim !== holder) return
      const [next] = line
      holder = next?.claim
      next?.wake("taken")
    },
    refuse(error) {
      holder = undefined
      for (const waiter of [...line]) waiter.fail(error())
    },
  }
}
