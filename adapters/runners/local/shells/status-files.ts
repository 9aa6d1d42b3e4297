import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs"
import type { Tokens } from "./tokens.ts"

/** Where the status of one command will be told. */
export interface StatusPlace {
  /** Of the command. */
  readonly token: string
  /** The status is appended to it for the name of the file that the shell opens. */
  readonly prefix: string
}

/** The files whose names carry exit statuses (spec shells.md §5.2). */
export interface StatusFiles {
  /** The place of the next command, which has the only token that counts from now on. */
  begin(): StatusPlace
  /** Makes the place of the command after the one that was begun: naming it costs as much as that one's whole frame. */
  prepare(): void
  /** The place of the command of a host that is gone. */
  resume(token: string): StatusPlace
  /** Whether the command that was begun last has told the status 0: the cheapest look there is. */
  hasSucceeded(): boolean
  /** Status of the command with this token; `undefined`: not there yet. */
  find(token: string): number | undefined
  /** The status found last need not prove anything any more. */
  settle(): void
}

/** One folder under the token that it is named after, and the file in it that tells of its last command. */
interface Folder {
  readonly token: string
  readonly told?: Told
}

/** A file that has told a status. */
interface Told {
  readonly name: string
  /** The shell can open it again: its umask may have made it a file that nobody can write. */
  readonly isWritable: boolean
}

const OWNER_WRITES = 0o200

/**
 * Looks into one generation's directory: in it are two folders, each named anew after a command's token, by turns, and in those
 * the files of the statuses there have been. Opening one again moves its modification time, which is put back to 0 before each
 * command: making and removing a file for each costs more than all the rest of its frame. Only a file that its owner cannot
 * write is removed: the shell could not open it a second time.
 */
export function createStatusFiles(directory: string, tokens: Tokens): StatusFiles {
  let place = ""
  let ready: Folder | undefined
  let current: Folder | undefined
  let settled: Folder | undefined

  /** A file whose time cannot be put back would tell of its command again: the folder is left. */
  function renew({ token: before, told }: Folder, token: string): void {
    const path = `${directory}/${before}`
    if (told?.isWritable === true) utimesSync(`${path}/${told.name}`, 0, 0)
    else if (told !== undefined) rmSync(`${path}/${told.name}`)
    renameSync(path, `${directory}/${token}`)
  }

  function makeReady(): Folder | undefined {
    const token = tokens.next()
    const last = settled
    settled = undefined
    try {
      if (last === undefined) mkdirSync(`${directory}/${token}`, { mode: 0o700 })
      else renew(last, token)
      return { token }
    } catch {
      // Somebody removed it: without a place for its status the command is found wedged, and the shell is replaced.
      return undefined
    }
  }

  /** The file `name` in a folder, if it tells of the folder's last command. */
  function look(path: string, name: string): Told | undefined {
    const found = statSync(`${path}${name}`, { throwIfNoEntry: false })
    if (found === undefined || found.mtimeMs === 0) return undefined
    return { name, isWritable: (found.mode & OWNER_WRITES) !== 0 }
  }

  function lookAtAll(path: string): Told | undefined {
    for (const name of names(path)) {
      const told = look(path, name)
      if (told !== undefined) return told
    }
    return undefined
  }

  function names(path: string): readonly string[] {
    try {
      return readdirSync(path)
    } catch {
      return []
    }
  }

  function begin(folder: Folder): StatusPlace {
    current = folder
    place = `${directory}/${folder.token}/`
    return { token: folder.token, prefix: place }
  }

  return {
    begin() {
      const folder = ready ?? makeReady() ?? { token: tokens.next() }
      ready = undefined
      return begin(folder)
    },
    prepare() {
      ready ??= makeReady()
    },
    resume: (token) => begin({ token }),
    hasSucceeded() {
      const told = current && look(place, "0")
      if (current === undefined || told === undefined) return false
      current = { token: current.token, told }
      return true
    },
    find(token) {
      const path = `${directory}/${token}/`
      const told = look(path, "0") ?? lookAtAll(path)
      const status = Number(told?.name)
      if (told === undefined || !Number.isInteger(status) || status < 0 || status > 255) return undefined
      if (current?.token === token) current = { token, told }
      return status
    },
    settle() {
      if (current?.told !== undefined) settled = current
      current = undefined
    },
  }
}
