import { ToolError } from "../../../../core/kernel/error.ts"
import { createTurnQueue } from "./turn-queue.ts"

/** Something that takes one of the places while it runs. */
export interface Admitted {
  /** Its group takes turns with the other groups. */
  readonly group: string
  /** Called when its turn comes; the place is free again when it settles, however it does. */
  run(): Promise<void>
}

/** At most so many at a time, the rest in line (spec exec-and-jobs.md §5.3). */
export interface Capacity {
  /** Throws `job_limit_reached` when the line is full. */
  check(): void
  /** `true` when it began at once, `false` when it waits. Throws as `check`. */
  enter(item: Admitted): boolean
  /** Takes a place whatever the limit until `done` settles: it runs already. */
  occupy(done: Promise<unknown>): void
  /** Takes it out of the line. */
  leave(item: Admitted): void
  position(item: Admitted): number | undefined
}

/** Places and line of one host. */
export function createCapacity(limits: { readonly running: number; readonly queued: number }): Capacity {
  const queue = createTurnQueue<Admitted>()
  let running = 0

  function occupy(done: Promise<unknown>): void {
    running += 1
    done
      .catch(() => undefined)
      .finally(() => {
        running -= 1
        const next = running < limits.running ? queue.next() : undefined
        if (next !== undefined) begin(next)
      })
  }

  const begin = (item: Admitted): void => occupy(item.run())

  function check(): void {
    if (running < limits.running || queue.size < limits.queued) return
    throw new ToolError("job_limit_reached", "Too many commands run and wait on this Runner. Retry when some ended.", {
      details: { running, queued: queue.size },
      executionState: "not_started",
    })
  }

  return {
    check,
    enter(item) {
      check()
      if (running < limits.running) {
        begin(item)
        return true
      }
      queue.add(item.group, item)
      return false
    },
    occupy,
    leave: (item) => void queue.remove(item),
    position: (item) => queue.position(item),
  }
}
