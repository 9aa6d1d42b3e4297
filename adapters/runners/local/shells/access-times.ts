import { closeSync, fstatSync, futimesSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"

/** Whether reading a file moves its access time here: the self-test of the proof of start (spec shells.md §5.2). */
export function accessTimesMove(directory: string): boolean {
  const path = join(directory, "atime")
  const fd = openSync(path, "w", 0o600)
  try {
    writeSync(fd, "x")
    futimesSync(fd, 0, 0)
    readFileSync(path)
    return fstatSync(fd).atimeMs !== 0
  } finally {
    closeSync(fd)
    rmSync(path, { force: true })
  }
}
