import type { ProcessTable } from "../../host/process-table.ts"
import type { SendSignal } from "./types.ts"

/** Signals one process for ever and no other: a recycled pid has another start time (spec shells.md §16, S11). */
export function createSendSignal(processes: ProcessTable): SendSignal {
  return (target, signal) => {
    const row = processes.read(target.pid)
    if (row === undefined || row.zombie || row.startTime !== target.startTime) return false
    try {
      return process.kill(target.pid, signal)
    } catch {
      // Gone since the check, or another user's: the next look tells which.
      return false
    }
  }
}
