import { setTimeout as sleep } from "node:timers/promises"
import type { ProcessRow } from "./process-table.ts"
import type { ProcessTree } from "./tree.ts"

const RESCAN_MS = 20
const KILL_MS = 2000

/** What a tree kill did. */
export interface KillReport {
  /** Every process that got a signal from us. */
  readonly signalled: readonly ProcessRow[]
  /** What lives in spite of SIGKILL: uninterruptible, or another user's. */
  readonly survivors: readonly ProcessRow[]
}

/** Time to comply between SIGTERM and SIGKILL; another stop can shorten it. */
export interface Grace {
  /** By the monotonic clock, ms. */
  readonly endsAt: number
  /** It ends in `ms` at the latest. */
  shorten(ms: number): void
}

/** A grace that begins now. */
export function createGrace(ms: number): Grace {
  let endsAt = performance.now() + ms
  return {
    get endsAt() {
      return endsAt
    },
    shorten(left) {
      endsAt = Math.min(endsAt, performance.now() + left)
    },
  }
}

/**
 * Ends a whole tree (spec exec-and-jobs.md §8.2): SIGTERM and SIGCONT, `grace` to comply, then SIGKILL, looking again
 * every 20 ms for what was forked meanwhile, at most 2 s.
 */
export async function endTree(tree: ProcessTree, grace: Grace): Promise<KillReport> {
  const signalled = new Map<number, ProcessRow>()
  const asked = new Set<string>()
  let alive = tree.members()
  while ((alive.length > 0 || tree.isUnsure()) && performance.now() < grace.endsAt) {
    for (const row of alive) {
      if (asked.has(key(row))) continue
      asked.add(key(row))
      signalled.set(row.pid, row)
      tree.signal(row, "SIGTERM")
      tree.signal(row, "SIGCONT")
    }
    await sleep(Math.min(RESCAN_MS, Math.max(1, grace.endsAt - performance.now())))
    alive = tree.members()
  }
  const killEnd = performance.now() + KILL_MS
  while ((alive.length > 0 || tree.isUnsure()) && performance.now() < killEnd) {
    for (const row of alive) {
      signalled.set(row.pid, row)
      tree.signal(row, "SIGKILL")
    }
    await sleep(RESCAN_MS)
    alive = tree.members()
  }
  return { signalled: [...signalled.values()], survivors: alive }
}

const key = (row: ProcessRow): string => `${row.pid}:${row.startTime}`
