import { readlinkSync, statSync } from "node:fs"
import type { SeatCwd } from "./transport.ts"

const DELETED = " (deleted)"

/**
 * Where a process is, as the kernel says: no variable can forge it (spec shells.md §5.3). `undefined` where there is no
 * `/proc`, or the process is gone.
 */
export function physicalCwd(pid: number): SeatCwd | undefined {
  try {
    const path = readlinkSync(`/proc/${pid}/cwd`)
    return path.endsWith(DELETED) ? deletedOrOdd(path, pid) : { path, deleted: false }
  } catch {
    return undefined
  }
}

/** A directory's real name can end like the kernel's mark: then it leads to itself. */
function deletedOrOdd(path: string, pid: number): SeatCwd {
  if (sameDirectory(path, `/proc/${pid}/cwd/.`)) return { path, deleted: false }
  return { path: path.slice(0, -DELETED.length), deleted: true }
}

function sameDirectory(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)]
    return a.dev === b.dev && a.ino === b.ino
  } catch {
    return false
  }
}
