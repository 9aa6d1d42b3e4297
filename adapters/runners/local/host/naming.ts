import type { Outcome, Survivor } from "../../../../core/jobs/record.ts"
import type { BackgroundProcess } from "../../../../core/jobs/runner.ts"
import type { ProcessRow, ProcessTable } from "./process-table.ts"

const COMMAND_CHARS = 80
const MAX_READ_CHARS = 8192
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/gu

/** A process names itself as it likes: what is no text to be shown is U+FFFD. */
const printable = (command: string): string => command.replace(UNPRINTABLE, "\ufffd")

/** Makes a text of ours safe to show (spec kernel.md §12). */
export type MaskText = (text: string) => string

/** Processes as they are shown. */
export interface Naming {
  /** One entry a tree: the processes whose parent is not among them (spec shells.md §4.1). */
  roots(rows: readonly ProcessRow[]): readonly BackgroundProcess[]
  /** Those that our signals could not end. */
  survivors(rows: readonly ProcessRow[]): readonly Survivor[]
}

/** Names by masked command lines of at most 80 characters. */
export function createNaming(processes: ProcessTable, mask: MaskText): Naming {
  const shortCommand = (row: ProcessRow): string => {
    const command = processes.commandOf(row.pid).slice(0, MAX_READ_CHARS)
    return mask(printable(command)).slice(0, COMMAND_CHARS).toWellFormed()
  }
  return {
    roots(rows) {
      const pids = new Set(rows.map((row) => row.pid))
      return rows.filter((row) => !pids.has(row.ppid)).map((row) => ({ pid: row.pid, command: shortCommand(row) }))
    },
    survivors: (rows) =>
      rows.map((row) => ({
        pid: row.pid,
        started_at: processes.wallClockOf(row.startTime),
        command: shortCommand(row),
      })),
  }
}

/** The outcome as a journal may keep it: no command, not even a survivor's (spec exec-and-jobs.md §3). */
export function withoutCommands(outcome: Outcome): Outcome {
  if (outcome.kind !== "timed_out" && outcome.kind !== "cancelled") return outcome
  const survivors = outcome.then.survivors.map((survivor) => ({ ...survivor, command: "" }))
  const then = { ...outcome.then, survivors }
  return { ...outcome, then }
}
