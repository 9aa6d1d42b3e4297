import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs"
import type { ProcessRow, ProcessTable } from "./process-table.ts"

const TICKS_PER_SECOND = 100
/** More than the longest line of numbers that is read of one process. */
const LINE_BYTES = 4096
/** Places in `stat` behind the name, and bits of its flags (proc_pid_stat(5), linux/sched.h). */
const FLAGS = 6
const ENVIRONMENT_END = 48
const EXITING = 0x4
const KERNEL_THREAD = 0x200000

/** Reads Linux's `/proc`; start times are clock ticks from boot. */
export function createProcTable(): ProcessTable {
  const buffer = Buffer.allocUnsafe(LINE_BYTES)
  let boot: string | undefined

  /** A whole file of one line, in three calls of the system: the table is read a process at a time. */
  function readLine(path: string): string | undefined {
    try {
      const fd = openSync(path, "r")
      try {
        return buffer.toString("latin1", 0, readSync(fd, buffer, 0, LINE_BYTES, null))
      } finally {
        closeSync(fd)
      }
    } catch {
      return undefined
    }
  }

  const read = (pid: number): ProcessRow | undefined => rowOf(pid, readLine(`/proc/${pid}/stat`))

  return {
    read,
    list(wanted = () => true) {
      const rows: ProcessRow[] = []
      for (const name of readNames("/proc")) {
        const pid = Number(name)
        if (!Number.isInteger(pid) || !wanted(pid)) continue
        const row = read(pid)
        if (row !== undefined) rows.push(row)
      }
      return rows
    },
    carriesMarker(pid, marker) {
      const text = readText(`/proc/${pid}/environ`)
      if (text === undefined) return false
      if (text !== "") return text.split("\0").includes(marker)
      return isBecoming(readLine(`/proc/${pid}/stat`)) ? undefined : false
    },
    argumentsOf: (pid) => words(readText(`/proc/${pid}/cmdline`, "utf8")),
    environmentOf: (pid) => words(readText(`/proc/${pid}/environ`, "utf8")),
    commandOf(pid) {
      const line = readText(`/proc/${pid}/cmdline`, "utf8")?.replaceAll("\0", " ").trim()
      return line === undefined || line === "" ? (readText(`/proc/${pid}/comm`, "utf8")?.trim() ?? "") : line
    },
    newestPid() {
      const line = readLine("/proc/loadavg")
      return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ") + 1))
    },
    bootId() {
      boot ??= readText("/proc/sys/kernel/random/boot_id")?.trim() ?? ""
      return boot
    },
    wallClockOf(startTime) {
      const bootSeconds = Number(/^btime (\d+)$/m.exec(readText("/proc/stat") ?? "")?.[1] ?? 0)
      return bootSeconds * 1000 + Math.round((startTime * 1000) / TICKS_PER_SECOND)
    },
  }
}

/** Each word of a list ends in NUL. */
function words(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : text.replace(/\0$/, "").split("\0")
}

function rowOf(pid: number, stat: string | undefined): ProcessRow | undefined {
  if (stat === undefined || stat === "") return undefined
  const fields = fieldsOf(stat)
  const [state, ppid, , session] = fields
  return {
    pid,
    ppid: Number(ppid),
    session: Number(session),
    startTime: Number(fields[19]),
    zombie: state === "Z" || state === "X",
  }
}

/**
 * Whether a process without an environment is within `execve`: until the new program's is laid out, its end is address 0. So
 * it is for what has no memory at all, kernel threads and those that are ending.
 */
function isBecoming(stat: string | undefined): boolean {
  if (stat === undefined || stat === "") return false
  const fields = fieldsOf(stat)
  return fields[ENVIRONMENT_END] === "0" && (Number(fields[FLAGS]) & (EXITING | KERNEL_THREAD)) === 0
}

/** What follows the name, which may hold anything: state, parent, group, session and so on. */
const fieldsOf = (stat: string): readonly string[] =>
  stat
    .slice(stat.lastIndexOf(")") + 2)
    .trimEnd()
    .split(" ")

/** A process can vanish between listing and reading, and another user's environment is closed: both mean "not known". */
function readText(path: string, encoding: "latin1" | "utf8" = "latin1"): string | undefined {
  try {
    return readFileSync(path, encoding)
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
