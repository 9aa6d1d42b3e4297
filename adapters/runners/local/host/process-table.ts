import { readdirSync, readFileSync } from "node:fs"

/** One live or dead entry of the operating system's process table. */
export interface ProcessRow {
  readonly pid: number
  readonly ppid: number
  /** Session id: the pid of the session's leader. */
  readonly session: number
  /** Clock ticks from boot to the start; with the pid it names one process for ever (spec exec-and-jobs.md §8.2). */
  readonly startTime: number
  /** A zombie has ended and only waits for its parent. */
  readonly zombie: boolean
}

const TICKS_PER_SECOND = 100

/** Reads one process; `undefined` when it is gone or this system has no `/proc`. */
export function readProcess(pid: number): ProcessRow | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [state, ppid, , session] = fields
  return {
    pid,
    ppid: Number(ppid),
    session: Number(session),
    startTime: Number(fields[19]),
    zombie: state === "Z" || state === "X",
  }
}

/** Every process whose pid passes `wanted`, zombies included. Empty where there is no `/proc`. */
export function listProcesses(wanted: (pid: number) => boolean = () => true): readonly ProcessRow[] {
  const rows: ProcessRow[] = []
  for (const name of readNames("/proc")) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || !wanted(pid)) continue
    const row = readProcess(pid)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

/** Whether `NAME=value` stands in the process's initial environment; `false` also where it may not be read. */
export function carriesMarker(pid: number, marker: string): boolean {
  const environment = readText(`/proc/${pid}/environ`)
  return environment?.split("\0").includes(marker) ?? false
}

/** The command line with spaces between its words, else the kernel's short name; `""` when the process is gone. */
export function commandOf(pid: number): string {
  const line = readText(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ").trim()
  return line === undefined || line === "" ? (readText(`/proc/${pid}/comm`)?.trim() ?? "") : line
}

/** The pid given to the newest process; pids are handed out in rising order and wrap. */
export function newestPid(): number | undefined {
  const last = readText("/proc/loadavg")?.trim().split(" ").at(-1)
  return last === undefined ? undefined : Number(last)
}

/** Names this boot of the machine, so that a pid of another boot is never taken for one of ours. */
export function bootId(): string {
  return readText("/proc/sys/kernel/random/boot_id")?.trim() ?? ""
}

/** Wall clock (ms) of a start time. */
export function wallClockOf(startTime: number): number {
  const bootSeconds = Number(/^btime (\d+)$/m.exec(readText("/proc/stat") ?? "")?.[1] ?? 0)
  return bootSeconds * 1000 + Math.round((startTime * 1000) / TICKS_PER_SECOND)
}

/** A process can vanish between listing and reading, and another user's environment is closed: both mean "not known". */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1")
  } catch {
    return undefined
  }
}

function readNames(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
