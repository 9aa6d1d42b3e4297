import type { JournalledRun } from "../journal.ts"
import { isRunning, type ProcessRow, type ProcessTable } from "../process-table.ts"
import { JOB_MARKER } from "../tree.ts"

/** What is left of the processes of a Job. */
export interface FoundProcess {
  /** Its first process, if it runs. */
  readonly main?: Pick<ProcessRow, "pid" | "startTime">
  /** Something else that carries its marker does. */
  readonly leftovers: boolean
}

/**
 * Looks for a Job's processes: the one that the journal names by pid and start time, or, where its host died before it could
 * write that down, the oldest carrier of the Job's marker (spec exec-and-jobs.md §6.2). A recycled pid is neither.
 */
export function findProcess(processes: ProcessTable, jobId: string, run: JournalledRun): FoundProcess {
  const { started } = run
  if (started !== undefined) {
    const main = { pid: started.pid, startTime: started.start }
    if (isRunning(processes, main)) return { main, leftovers: false }
  }
  const marker = `${JOB_MARKER}=${jobId}`
  const carriers = processes.list().filter((row) => !row.zombie && processes.carriesMarker(row.pid, marker) === true)
  if (started !== undefined) return { leftovers: carriers.length > 0 }
  const [oldest] = carriers.sort(
    (a, b) => Number(b.session === b.pid) - Number(a.session === a.pid) || a.startTime - b.startTime,
  )
  return oldest === undefined ? { leftovers: false } : { main: oldest, leftovers: false }
}
