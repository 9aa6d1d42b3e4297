import type { ProcessRow, ProcessTable } from "../host/process-table.ts"

/** Numbers of processes come round again, not sooner than this. */
const FIRST_ROUND_MS = 2000
/** So many numbers are looked at one by one: to list all processes takes longer. */
const FEW = 64

/**
 * Processes of a session that live without its leader. In the first seconds of the leader they are among the pids given since,
 * which spares a look at every process of the machine.
 */
export function leftoversOf(
  leader: { readonly pid: number; readonly ageMs: number },
  processes: Pick<ProcessTable, "list" | "read" | "newestPid">,
): readonly number[] {
  return candidates(leader, processes)
    .filter((row) => row.session === leader.pid && row.pid !== leader.pid && !row.zombie)
    .map(({ pid }) => pid)
}

function candidates(
  { pid: first, ageMs }: { readonly pid: number; readonly ageMs: number },
  processes: Pick<ProcessTable, "list" | "read" | "newestPid">,
): readonly ProcessRow[] {
  const newest = ageMs < FIRST_ROUND_MS ? processes.newestPid() : undefined
  if (newest === undefined || newest < first) return processes.list()
  if (newest - first > FEW) return processes.list((pid) => pid > first)
  return Array.from({ length: newest - first }, (_, at) => processes.read(first + 1 + at) ?? []).flat()
}
