import { mkdirSync, readdirSync, renameSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"

/** The files whose names carry exit statuses (spec shells.md §5.2). */
export interface StatusFiles {
  /** Prepares for the command with this token; gives what its status is appended to for the name of the file that the shell opens. */
  begin(token: string): string
  /** Goes on with the command of a host that is gone. */
  resume(token: string): void
  /** Status of the command with this token; `undefined`: not there yet. */
  find(token: string): number | undefined
  /** The status found last proves nothing any more. */
  settle(): void
}

/**
 * Looks into one generation's directory: in it is one folder, which is named anew after each command's token, and in that the
 * files of the statuses there have been. Opening one again moves its modification time, which is put back to 0 before each
 * command: making and removing a file for each costs more than all the rest of its frame.
 */
export function createStatusFiles(directory: string): StatusFiles {
  let folder: string | undefined
  let last: string | undefined

  /** A generation starts without a folder, and one that was adopted may have one whose times are not known. */
  function nameFolder(token: string): void {
    const fresh = join(directory, token)
    try {
      if (folder === undefined) mkdirSync(fresh, { mode: 0o700 })
      else renameSync(folder, fresh)
      folder = fresh
    } catch {
      // Somebody removed it: without a place for its status the command is found wedged, and the shell is replaced.
      folder = undefined
    }
  }

  function settle(): void {
    try {
      if (last !== undefined) utimesSync(last, 0, 0)
    } catch {
      // A file whose time cannot be put back would tell of this command again: the next one gets another folder.
      folder = undefined
    }
    last = undefined
  }

  function isNew(path: string): boolean {
    return (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) !== 0
  }

  function names(path: string): readonly string[] {
    try {
      return readdirSync(path)
    } catch {
      return []
    }
  }

  return {
    begin(token) {
      settle()
      nameFolder(token)
      return join(directory, token, "/")
    },
    resume(token) {
      folder = join(directory, token)
    },
    find(token) {
      const path = join(directory, token)
      const name = isNew(`${path}/0`) ? "0" : names(path).find((one) => isNew(`${path}/${one}`))
      const status = Number(name)
      if (name === undefined || !Number.isInteger(status) || status < 0 || status > 255) return undefined
      last = `${path}/${name}`
      return status
    },
    settle,
  }
}
