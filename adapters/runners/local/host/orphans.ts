import type { OrphanEnd } from "../../../../core/jobs/runner.ts"
import type { Naming } from "./naming.ts"
import type { ProcessTable } from "./process-table.ts"
import { createProcessTree } from "./tree.ts"
import { createGrace, endTree, type Grace } from "./tree-kill.ts"

/** Ends what Jobs of hosts that are gone have left alive. */
export interface Orphans {
  /** Every process that carries the Job's marker, and its children. */
  end(jobId: string, graceMs: number): Promise<OrphanEnd>
  /** Shortens every end under way and waits for them. */
  hurry(graceMs: number): Promise<void>
}

/** Finds them by their marker alone (spec exec-and-jobs.md §8.2). */
export function createOrphans(processes: ProcessTable, naming: Naming): Orphans {
  const underWay = new Map<Promise<unknown>, Grace>()

  return {
    async end(jobId, graceMs) {
      const grace = createGrace(graceMs)
      const ending = endTree(createProcessTree({ jobId }, processes), grace)
      underWay.set(ending, grace)
      try {
        const { signalled, survivors } = await ending
        return { signalled: signalled.length > 0, survivors: naming.survivors(survivors) }
      } finally {
        underWay.delete(ending)
      }
    },
    async hurry(graceMs) {
      for (const grace of underWay.values()) grace.shorten(graceMs)
      await Promise.all(underWay.keys())
    },
  }
}
