import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs"

/**
 * The text that a host which is gone had sent last; `""` where it went through a pipe, or its file is gone. Reading it must
 * not look as if the shell had read it: the access time is its proof of start (spec shells.md §5.2). Where a file cannot be
 * read without moving that, the text counts as read, and so is never run a second time.
 */
export function sentText(path: string): string {
  try {
    if (!lstatSync(path).isFile()) return ""
    const fd = openUnmoved(path)
    try {
      return fstatSync(fd).size === 0 ? "" : readFileSync(fd, "utf8")
    } finally {
      closeSync(fd)
    }
  } catch {
    return ""
  }
}

function openUnmoved(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NOATIME ?? 0))
  } catch {
    return openSync(path, "r")
  }
}
