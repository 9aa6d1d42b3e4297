import { readdirSync, readlinkSync } from "node:fs"

/** Where bash keeps one of its own. */
const SHELLS_OWN = 255

/** Descriptors above 2 that a shell at rest holds: what its user opened by `exec` (spec shells.md §5.6). */
export function ownDescriptors(pid: number): readonly number[] {
  const directory = `/proc/${pid}/fd`
  try {
    return readdirSync(directory)
      .map(Number)
      .filter((fd) => fd > 2 && fd !== SHELLS_OWN && isOpen(`${directory}/${fd}`))
      .sort((a, b) => a - b)
  } catch {
    return []
  }
}

function isOpen(link: string): boolean {
  try {
    return readlinkSync(link) !== ""
  } catch {
    return false
  }
}
