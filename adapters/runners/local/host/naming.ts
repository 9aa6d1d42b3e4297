import type { Outcome, Survivor } from "../../../../core/jobs/record.ts"
import type { BackgroundProcess } from "../../../../core/jobs/runner.ts"
import { commandOf, type ProcessRow, wallClockOf } from "./process-table.ts"

const MAX_NAMED = 8
const COMMAND_CHARS = 80

/** Makes a text of ours safe to show (spec kernel.md §12). */
export type MaskText = (text: string) => string

/** One entry a tree: the processes whose parent is not among them (spec shells.md §4.1), at most 8. */
export function namedRoots(rows: readonly ProcessRow[], mask: MaskText): readonly BackgroundProcess[] {
  const pids = new Set(rows.map((row) => row.pid))
  return rows
    .filter((row) => !pids.has(row.ppid))
    .slice(0, MAX_NAMED)
    .map((row) => ({ pid: row.pid, command: shortCommand(row, mask) }))
}

/** How a process that our signals could not end is named. */
export function survivorOf(row: ProcessRow, mask: MaskText): Survivor {
  return { pid: row.pid, started_at: wallClockOf(row.startTime), command: shortCommand(row, mask) }
}

function shortCommand(row: ProcessRow, mask: MaskText): string {
  return mask(commandOf(row.pid)).slice(0, COMMAND_CHARS)
}

/** The outcome as a journal may keep it: no command, not even a survivor's (spec exec-and-jobs.md §3). */
export function withoutCommands(outcome: Outcome): Outcome {
  if (outcome.kind !== "timed_out" && outcome.kind !== "cancelled") return outcome
  const survivors = outcome.then.survivors.map((survivor) => ({ ...survivor, command: "" }))
  const then = { ...outcome.then, survivors }
  return { ...outcome, then }
}
