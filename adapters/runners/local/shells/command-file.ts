import { closeSync, fstatSync, futimesSync, openSync, rmSync, writeFileSync } from "node:fs"

/** The text of one command where its shell reads it. */
export interface CommandFile {
  /** Whether somebody has read it: proof of start (spec shells.md §5.2). */
  wasRead(): boolean
  remove(): void
}

/** Writes exactly these bytes; the access time is 0 until somebody reads them. */
export function writeCommandFile(path: string, text: string | Uint8Array): CommandFile {
  const fd = openSync(path, "wx", 0o600)
  try {
    writeFileSync(fd, text)
    futimesSync(fd, 0, 0)
  } catch (error) {
    closeSync(fd)
    rmSync(path, { force: true })
    throw error
  }
  return commandFile(fd, path)
}

/** The file of a command that another host sent; without it nothing tells whether the text was read. */
export function reopenCommandFile(path: string): CommandFile {
  try {
    return commandFile(openSync(path, "r"), path)
  } catch {
    return { wasRead: () => true, remove: () => undefined }
  }
}

function commandFile(fd: number, path: string): CommandFile {
  return {
    wasRead: () => fstatSync(fd).atimeMs !== 0,
    remove() {
      closeSync(fd)
      rmSync(path, { force: true })
    },
  }
}
