import { readdirSync, readlinkSync } from "node:fs"
import type { BackgroundProcess } from "../../../../core/jobs/runner.ts"
import type { Naming } from "../host/naming.ts"
import type { ProcessRow, ProcessTable } from "../host/process-table.ts"

/** Shows the trees below some children of a shell, and whether one of a tree can still write into these pipes. */
export function describeTrees(
  roots: readonly number[],
  pipes: readonly string[],
  ports: { readonly processes: ProcessTable; readonly naming: Naming },
): readonly BackgroundProcess[] {
  const alive = roots.flatMap((pid) => {
    const row = ports.processes.read(pid)
    return row === undefined || row.zombie ? [] : [row]
  })
  if (alive.length === 0) return []
  const rows = pipes.length === 0 ? [] : ports.processes.list()
  return alive.flatMap((row) => {
    const [named] = ports.naming.roots([row])
    if (named === undefined) return []
    const holdsOutput = pipes.length > 0 && treeOf(row, rows).some(({ pid }) => holds(pid, pipes))
    return [{ ...named, holdsOutput }]
  })
}

/** A process and everything below it. */
export function treeOf(root: ProcessRow, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const found = [root]
  for (let at = 0; at < found.length; at += 1) {
    const parent = found[at]
    for (const row of rows) if (row.ppid === parent?.pid && row.pid !== parent.pid) found.push(row)
  }
  return found
}

function holds(pid: number, pipes: readonly string[]): boolean {
  const directory = `/proc/${pid}/fd`
  try {
    return readdirSync(directory).some((fd) => pipes.includes(targetOf(`${directory}/${fd}`)))
  } catch {
    return false
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ""
  }
}
