import { readdirSync, readlinkSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import type { BackgroundProcess } from "../../../../core/jobs/runner.ts"
import type { Naming } from "../host/naming.ts"
import type { ProcessRow, ProcessTable } from "../host/process-table.ts"

const NAMED_WITHIN_MS = 20
const LOOK_STEP_MS = 1

/** A child that was only just forked still looks like its shell: it gets a moment to become what it is going to be. */
export async function untilNamed(
  children: readonly number[],
  shell: number,
  processes: Pick<ProcessTable, "commandOf">,
): Promise<void> {
  if (children.length === 0) return
  const until = performance.now() + NAMED_WITHIN_MS
  const own = processes.commandOf(shell)
  while (children.some((pid) => processes.commandOf(pid) === own) && performance.now() < until)
    await sleep(LOOK_STEP_MS)
}

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
