import { spawnSync } from "node:child_process"
import type { ProcessRow, ProcessTable } from "./process-table.ts"

const TIMEOUT_MS = 5000
const ATTEMPTS = 3
const MAX_BYTES = 16 * 1_048_576
/** One option a column: of a list, BSD's `ps` takes all that follows the first `=` for that column's title. */
const COLUMNS = ["pid=", "ppid=", "pgid=", "stat=", "lstart="].flatMap((column) => ["-o", column])
const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/

/**
 * Asks `ps`, for systems without `/proc` (macOS, BSD). Start times are seconds of the wall clock. What it cannot do there:
 * a session's id is not told, so `session` is the process group, and initial environments are closed, so no process ever
 * carries a marker. A process that left both its parent and its group before it was first seen is beyond reach.
 */
export function createPsTable(): ProcessTable {
  let boot: string | undefined
  return {
    read: (pid) => rowsOf(run("ps", [...COLUMNS, "-p", String(pid)]))[0],
    list(wanted = () => true) {
      return rowsOf(run("ps", ["-A", ...COLUMNS])).filter((row) => wanted(row.pid))
    },
    carriesMarker: () => false,
    argumentsOf: () => [],
    environmentOf: () => [],
    commandOf: (pid) =>
      Buffer.from(run("ps", ["-o", "command=", "-p", String(pid)]), "latin1")
        .toString()
        .trim(),
    newestPid: () => undefined,
    bootId() {
      boot ??= run("sysctl", ["-n", "kern.bootsessionuuid"]).trim()
      return boot
    },
    wallClockOf: (startTime) => startTime * 1000,
  }
}

function rowsOf(text: string): readonly ProcessRow[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, ppid, group, state = "", started] = ROW.exec(line) ?? []
    const startTime = Date.parse(`${started} UTC`) / 1000
    if (pid === undefined || Number.isNaN(startTime)) return []
    return [{ pid: Number(pid), ppid: Number(ppid), session: Number(group), startTime, zombie: state.startsWith("Z") }]
  })
}

/** `ps` exits 1 when a pid is gone. One that cannot run, as when no process can be made, is asked again before it counts. */
function run(program: string, args: readonly string[]): string {
  for (let attempt = 1; ; attempt += 1) {
    const { status, stdout } = spawnSync(program, [...args], {
      encoding: "latin1",
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_BYTES,
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" },
    })
    if (status !== null || attempt === ATTEMPTS) return stdout ?? ""
  }
}
