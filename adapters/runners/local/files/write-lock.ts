import { mkdirSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import type { Clock } from "../../../../core/kernel/clock.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import { hasErrno } from "./errno.ts"

const POLL_MIN_MS = 5
const POLL_SPREAD_MS = 20

/** How long to wait for a lock. */
export interface LockWait {
  readonly waitMs: number
  readonly signal?: AbortSignal
}

interface Lock {
  readonly database: Database.Database
  /** Settles when the last holder or waiter of this process is done. */
  tail: Promise<void>
  /** Monotonic time before which this process does not take the lock again. */
  notBefore: number
}

const busy = (): ToolError =>
  new ToolError("workspace_busy", "Another edit holds this Project's write lock; send the same call again shortly.", {
    retryAfterMs: 1000,
  })

/**
 * The write locks of Project trees: one SQLite lock file a tree, released by the kernel when its holder dies
 * (files-and-git.md §4.4). This process opens a lock file once only: closing another descriptor would drop the lock.
 */
export class WriteLocks {
  private readonly directory: string
  private readonly clock: Pick<Clock, "monotonic" | "sleep">
  private readonly locks = new Map<string, Lock>()

  constructor(directory: string, clock: Pick<Clock, "monotonic" | "sleep">) {
    this.directory = directory
    this.clock = clock
  }

  /**
   * Runs `work` as the only writer of a tree, over all processes.
   * @throws ToolError `workspace_busy` when the lock is not free in time; the signal's reason when it aborts first.
   */
  async hold<T>(treePk: string, wait: LockWait, work: () => Promise<T>): Promise<T> {
    const lock = this.lockOf(treePk)
    const deadline = this.clock.monotonic() + wait.waitMs
    const turn = lock.tail
    let finish = (): void => undefined
    const done = new Promise<void>((resolve) => {
      finish = resolve
    })
    lock.tail = turn.then(() => done)
    try {
      await this.within(turn, deadline, wait.signal)
      await this.take(lock, deadline, wait.signal)
      try {
        return await work()
      } finally {
        lock.database.exec("ROLLBACK")
        lock.notBefore = this.clock.monotonic() + this.pollMs()
      }
    } finally {
      finish()
    }
  }

  /** Closes every lock file; nothing may hold a lock. */
  close(): void {
    for (const { database } of this.locks.values()) database.close()
    this.locks.clear()
  }

  private lockOf(treePk: string): Lock {
    const known = this.locks.get(treePk)
    if (known !== undefined) return known
    mkdirSync(this.directory, { recursive: true, mode: 0o700 })
    const database = new Database(join(this.directory, treePk), { timeout: 0 })
    const lock: Lock = { database, tail: Promise.resolve(), notBefore: 0 }
    this.locks.set(treePk, lock)
    return lock
  }

  private pollMs(): number {
    return POLL_MIN_MS + Math.random() * POLL_SPREAD_MS
  }

  private async within(turn: Promise<void>, deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const cancel = new AbortController()
    const stop = signal === undefined ? cancel.signal : AbortSignal.any([signal, cancel.signal])
    const late = this.clock.sleep(Math.max(0, deadline - this.clock.monotonic()), stop).then(() => {
      throw busy()
    })
    try {
      await Promise.race([turn, late])
    } finally {
      late.catch(() => undefined)
      cancel.abort()
    }
  }

  private async take(lock: Lock, deadline: number, signal: AbortSignal | undefined): Promise<void> {
    const pause = lock.notBefore - this.clock.monotonic()
    if (pause > 0) await this.clock.sleep(pause, signal)
    for (;;) {
      signal?.throwIfAborted()
      if (tryBegin(lock.database)) return
      if (this.clock.monotonic() >= deadline) throw busy()
      await this.clock.sleep(this.pollMs(), signal)
    }
  }
}

function tryBegin(database: Database.Database): boolean {
  try {
    database.exec("BEGIN IMMEDIATE")
    return true
  } catch (error) {
    if (hasErrno(error, ["SQLITE_BUSY"])) return false
    throw error
  }
}
