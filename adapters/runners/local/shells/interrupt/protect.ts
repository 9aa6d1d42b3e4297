import type { ProcessRow, ProcessTable } from "../../host/process-table.ts"
import type { ProcessId, Protected } from "./types.ts"

/**
 * Notes what lives below a shell as a command starts (spec shells.md §5.5). `children`: the shell's own, by one cheap look;
 * where there are none the process table is not read.
 */
export function noteProtected(shell: ProcessId, children: readonly number[], processes: ProcessTable): Protected {
  const notedAt = performance.now()
  return { notedAt, rows: children.length === 0 ? [] : descendantsOf(shell.pid, processes.list()) }
}

/** Every row below `pid`, by parents, `pid` itself left out. */
export function descendantsOf(pid: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const children = new Map<number, ProcessRow[]>()
  for (const row of rows) {
    const siblings = children.get(row.ppid)
    if (siblings === undefined) children.set(row.ppid, [row])
    else siblings.push(row)
  }
  const found: ProcessRow[] = []
  const open = [pid]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const row of children.get(next) ?? []) {
      found.push(row)
      open.push(row.pid)
    }
  }
  return found
}
