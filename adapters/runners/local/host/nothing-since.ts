import type { ProcessTable } from "./process-table.ts"

/** Beyond so many numbers it is cheaper to read the table as a whole. */
const MAX_NUMBERS = 512

/**
 * Whether no process with a pid above `pid` passes `mayBelong`, which is asked in rising order; `false` where that cannot be
 * told at little cost. Pids are given in rising order and a child's is above its parent's, so that nothing is missed that is
 * forked while this looks: it ends when none was given since its last look.
 */
export function nothingSince(
  pid: number,
  processes: Pick<ProcessTable, "newestPid">,
  mayBelong: (pid: number) => boolean,
): boolean {
  let looked = pid
  for (;;) {
    const newest = processes.newestPid()
    if (newest === undefined || newest < looked || newest - pid > MAX_NUMBERS) return false
    if (newest === looked) return true
    while (looked < newest) {
      looked += 1
      if (mayBelong(looked)) return false
    }
  }
}
