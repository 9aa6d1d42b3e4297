import { existsSync } from "node:fs"
import { createProcTable } from "./proc-table.ts"
import { createPsTable } from "./ps-table.ts"

/** One live or dead entry of the operating system's process table. */
export interface ProcessRow {
  readonly pid: number
  readonly ppid: number
  /** What a command and the children that did not leave it have in common: the pid of the session's or group's leader. */
  readonly session: number
  /** When it started, in the table's own unit; with the pid it names one process for ever (spec exec-and-jobs.md §8.2). */
  readonly startTime: number
  /** A zombie has ended and only waits for its parent. */
  readonly zombie: boolean
}

/** The processes of this machine. A process can vanish between two looks, so that every answer may be "not known". */
export interface ProcessTable {
  /** `undefined` when it is gone. */
  read(pid: number): ProcessRow | undefined
  /** Every process whose pid passes `wanted`, zombies included. */
  list(wanted?: (pid: number) => boolean): readonly ProcessRow[]
  /**
   * Whether `NAME=value` stands in the process's initial environment; `false` also where it may not be read. `undefined` in
   * the moment in which it becomes another program and shows no environment: look again.
   */
  carriesMarker(pid: number, marker: string): boolean | undefined
  /** The command line with spaces between its words, else the system's short name; `""` when the process is gone. */
  commandOf(pid: number): string
  /** The words of its command line; none where they may not be read. */
  argumentsOf(pid: number): readonly string[]
  /** Its initial environment, `NAME=value` each; none where it may not be read. */
  environmentOf(pid: number): readonly string[]
  /** The pid given to the newest process, where the system tells it; pids are handed out in rising order and wrap. */
  newestPid(): number | undefined
  /** Names this boot of the machine, so that a pid of another boot is never taken for one of ours; `""` when unknown. */
  bootId(): string
  /** Wall clock (ms) of a start time. */
  wallClockOf(startTime: number): number
}

/** Whether this very process runs: not a zombie, and not another one that got its number. */
export function isRunning(
  processes: Pick<ProcessTable, "read">,
  { pid, startTime }: Pick<ProcessRow, "pid" | "startTime">,
): boolean {
  const row = processes.read(pid)
  return row !== undefined && !row.zombie && row.startTime === startTime
}

/** The table of this machine: `/proc` where there is one, else `ps`. */
export function systemProcessTable(): ProcessTable {
  return existsSync("/proc/self/stat") ? createProcTable() : createPsTable()
}
