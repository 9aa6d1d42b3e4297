import type { JobId } from "../../../../core/kernel/ids.ts"
import { evictSpools } from "./eviction.ts"
import type { ProcessTable } from "./process-table.ts"
import type { SmallOutputs } from "./small-outputs.ts"

const HOUR_MS = 3_600_000
/** Share of the total that may be written before room is made without waiting for the next sweep. */
const RELIEVE_SHARE = 1 / 8

/** Keeps all spools of the data directory within their bounds (spec exec-and-jobs.md §7.1). */
export interface Sweeper {
  /** Evicts what is too old or too much; returns the Jobs whose output is gone. */
  sweep(known?: { readonly owingHosts: readonly string[] }): Promise<readonly JobId[]>
  /** Notes what an ended Job stored; large outputs make room at once. */
  noteStored(bytes: number): void
}

/** What a sweeper needs to know of its host. */
export interface SweeperOptions {
  readonly dataDirectory: string
  readonly hostId: string
  readonly processes: ProcessTable
  readonly totalBytes: number
  readonly hours: number
  /** Jobs of this host that can still write. */
  isActive(jobId: JobId): boolean
  readonly small: Pick<SmallOutputs, "isInUse" | "settle">
  now(): number
}

/** One sweeper a host. */
export function createSweeper(options: SweeperOptions): Sweeper {
  let storedSince = 0

  function sweep(known?: { readonly owingHosts: readonly string[] }): Promise<readonly JobId[]> {
    storedSince = 0
    options.small.settle()
    return evictSpools({
      dataDirectory: options.dataDirectory,
      ownHostId: options.hostId,
      ...(known === undefined ? {} : { owingHosts: known.owingHosts }),
      processes: options.processes,
      isActive: (jobId) => options.isActive(jobId),
      isInUse: (path) => options.small.isInUse(path),
      totalBytes: options.totalBytes,
      maxAgeMs: options.hours * HOUR_MS,
      now: options.now(),
    })
  }

  return {
    sweep,
    noteStored(bytes) {
      storedSince += bytes
      if (storedSince < options.totalBytes * RELIEVE_SHARE) return
      sweep().catch(() => {
        // Rows learn when they are read that their output is gone; what could not be removed is left to the next sweep.
      })
    },
  }
}
