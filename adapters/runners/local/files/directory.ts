import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from "node:fs"
import { pid } from "node:process"
import { ToolError } from "../../../../core/kernel/error.ts"
import { errnoOf, guarded, pathChanged } from "./errno.ts"

/** How paths are kept inside a root: by names relative to open handles, or by checks before and after. */
export type Confinement = "anchored" | "checked"

/** An open directory below a Project root. */
export interface Directory {
  readonly fd: number
  /** Real names from the root to here; empty for the root. */
  readonly components: readonly string[]
  /** Real path when it was opened. */
  readonly realPath: string
}

const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Whether descriptors can be named through `/proc/self/fd` here; asked once a process (files-and-git.md §1.3). */
export function detectConfinement(): Confinement {
  let fd: number | undefined
  try {
    fd = openSync("/proc/self", constants.O_RDONLY | constants.O_DIRECTORY)
    return readlinkSync(`/proc/self/fd/${fd}`) === `/proc/${pid}` ? "anchored" : "checked"
  } catch {
    // No proc file system, or one that this runtime may not read: the other mode needs neither.
    return "checked"
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Whether two views are of the same object. */
export const isSameObject = (a: BigIntStats, b: BigIntStats): boolean => a.ino === b.ino && a.dev === b.dev

/** The directories that one call holds open; all are closed together when the call ends. */
export class OpenDirectories {
  readonly confinement: Confinement
  private readonly open = new Set<number>()

  constructor(confinement: Confinement) {
    this.confinement = confinement
  }

  /** Path of a name inside a directory; anchored, it stays right whatever happens to the directory's own name. */
  child(directory: Directory, name: string): string {
    return `${this.confinement === "anchored" ? `/proc/self/fd/${directory.fd}` : directory.realPath}/${name}`
  }

  /** Path of the directory itself, for listing and for the working directory of a child process. */
  self(directory: Directory): string {
    return this.confinement === "anchored" ? `/proc/${pid}/fd/${directory.fd}` : directory.realPath
  }

  /** What a name in a directory is, links not followed; undefined when nothing is there. */
  look(directory: Directory, name: string): BigIntStats | undefined {
    return guarded(() => lstatSync(this.child(directory, name), { bigint: true, throwIfNoEntry: false }))
  }

  /** Opens a Project root. @throws ToolError `workspace_missing` unless the recorded path is still that directory. */
  openRoot(root: string): Directory {
    let fd: number
    try {
      fd = this.remember(openSync(root, DIRECTORY_FLAGS))
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      throw workspaceMissing(error)
    }
    const directory = { fd, components: [], realPath: root }
    if (!this.isInPlace(directory)) throw workspaceMissing()
    return directory
  }

  /** Opens a directory by its name, never through a link. */
  openChild(parent: Directory, name: string): Directory {
    const path = this.child(parent, name)
    const fd = guarded(() => this.remember(openSync(path, DIRECTORY_FLAGS)))
    return {
      fd,
      components: [...parent.components, name],
      realPath: `${parent.realPath === "/" ? "" : parent.realPath}/${name}`,
    }
  }

  /** Opens a directory by its real names, no link followed; undefined when one of them is missing. */
  descend(root: Directory, components: readonly string[]): Directory | undefined {
    let directory = root
    for (const name of components) {
      if (this.look(directory, name) === undefined) return undefined
      directory = this.openChild(directory, name)
    }
    return directory
  }

  /** Whether an open directory still lies where it was opened. */
  isInPlace(directory: Directory): boolean {
    try {
      if (this.confinement === "anchored") return readlinkSync(`/proc/self/fd/${directory.fd}`) === directory.realPath
      const now = lstatSync(directory.realPath, { bigint: true })
      return (
        realpathSync(directory.realPath) === directory.realPath &&
        isSameObject(now, fstatSync(directory.fd, { bigint: true }))
      )
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      return false
    }
  }

  /** @throws ToolError `path_changed` when a directory no longer lies where it was opened. */
  requireInPlace(directory: Directory): void {
    if (!this.isInPlace(directory)) throw pathChanged()
  }

  /** Closes one directory before the call ends. */
  close(directory: Directory): void {
    if (this.open.delete(directory.fd)) closeSync(directory.fd)
  }

  /** Closes everything that is still open. */
  closeAll(): void {
    for (const fd of this.open) closeSync(fd)
    this.open.clear()
  }

  private remember(fd: number): number {
    this.open.add(fd)
    return fd
  }
}

const workspaceMissing = (cause?: unknown): ToolError =>
  new ToolError(
    "workspace_missing",
    "The Project's root directory is no longer there; a person must put it back or register the Project again.",
    cause === undefined ? {} : { cause },
  )
