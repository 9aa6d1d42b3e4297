import type { ProcessRow } from "../../host/process-table.ts"
import { descendantsOf } from "./protect.ts"
import type { InterruptPorts, LadderSpec } from "./types.ts"

/** The processes of the command that a ladder stops: what lives below its shell and is not protected. */
export interface CommandProcesses {
  /** Alive now, zombies left out. */
  look(): readonly ProcessRow[]
}

const MS_PER_SECOND = 1000

/**
 * Follows them: by parents, by what was seen before, and, for what lost its parent, by the shell's session if it is younger
 * than the command.
 */
export function commandProcesses(spec: LadderSpec, ports: InterruptPorts): CommandProcesses {
  const spared = new Set(spec.protected.rows.map(key))
  const seen = new Set<string>()
  const begun = startOfCommand(spec, ports)

  return {
    look() {
      const rows = ports.processes.list()
      const isRecycled = rows.some((row) => row.pid === spec.shell.pid && row.startTime !== spec.shell.startTime)
      const below = new Set(isRecycled ? [] : descendantsOf(spec.shell.pid, rows).map(key))
      // A process that was seen brings its children, also when its parent is gone meanwhile.
      for (const row of rows)
        if (seen.has(key(row))) for (const one of descendantsOf(row.pid, rows)) below.add(key(one))
      const isOfSession = (row: ProcessRow): boolean => !isRecycled && row.session === spec.shell.pid
      const found = rows.filter((row) => {
        if (row.pid === spec.shell.pid || spared.has(key(row))) return false
        return below.has(key(row)) || seen.has(key(row)) || (isOfSession(row) && row.startTime > begun)
      })
      for (const row of found) seen.add(key(row))
      return found.filter((row) => !row.zombie)
    },
  }
}

/** In the unit of start times; never earlier than it was, so that older work is not taken for the command's. */
function startOfCommand({ protected: { notedAt } }: LadderSpec, { processes, look }: InterruptPorts): number {
  const now = look.now()
  if (now === undefined) return Number.POSITIVE_INFINITY
  const msPerUnit = (processes.wallClockOf(MS_PER_SECOND) - processes.wallClockOf(0)) / MS_PER_SECOND
  return now - Math.floor((performance.now() - notedAt) / msPerUnit)
}

const key = (row: Pick<ProcessRow, "pid" | "startTime">): string => `${row.pid}:${row.startTime}`
