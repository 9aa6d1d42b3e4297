import { type BigIntStats, fstatSync, readlinkSync } from "node:fs"
import { isProtectedName } from "../../../../core/files/policy.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import { type Directory, isSameObject, type OpenDirectories } from "./directory.ts"
import { guarded, pathChanged } from "./errno.ts"

const MAX_HOPS = 40

/** Where a walk ended. `parent` stays open until the caller closes it. */
export type Located =
  | {
      readonly found: "object"
      readonly parent: Directory
      readonly name: string
      readonly stat: BigIntStats
    }
  /** The walk ended at a directory that is open already: the root, or one reached by `..` in a link. */
  | { readonly found: "directory"; readonly directory: Directory }
  | {
      readonly found: "nothing"
      readonly parent: Directory
      /** Names that are missing below `parent`, at least one. */
      readonly missing: readonly [string, ...string[]]
      /** The missing name comes from a link's target. */
      readonly dangling: boolean
    }

const escapes = (): ToolError =>
  new ToolError("path_escapes_root", "The path leads outside the Project through a link; use a path that stays inside.")

/** One walk from the root: names still to go, directories entered, links followed (files-and-git.md §1.3). */
class Walk {
  private readonly directories: OpenDirectories
  private readonly stack: Directory[]
  private pending: string[]
  private fromLink = 0
  private hops = 0

  constructor(directories: OpenDirectories, root: Directory, components: readonly string[]) {
    this.directories = directories
    this.stack = [root]
    this.pending = [...components]
  }

  run(followLast: boolean): Located {
    for (;;) {
      const name = this.pending.shift()
      if (name === undefined) return { found: "directory", directory: this.keepTop() }
      const dangling = this.fromLink > 0
      this.fromLink = Math.max(0, this.fromLink - 1)
      if (name === "..") {
        this.leave()
        continue
      }
      if (isProtectedName(name)) throw protectedPath()
      const stat = this.directories.look(this.top, name)
      if (stat === undefined) {
        return { found: "nothing", parent: this.keepTop(), missing: [name, ...this.pending], dangling }
      }
      const isLast = this.pending.length === 0
      if (stat.isSymbolicLink() && (followLast || !isLast)) this.follow(name)
      else if (isLast) return { found: "object", parent: this.keepTop(), name, stat }
      else this.enter(name, stat)
    }
  }

  /** Closes every directory but the root, which belongs to the call. */
  abandon(): void {
    for (const directory of this.stack.slice(1)) this.directories.close(directory)
  }

  private get top(): Directory {
    const top = this.stack.at(-1)
    if (top === undefined) throw escapes()
    return top
  }

  private keepTop(): Directory {
    for (const directory of this.stack.slice(1, -1)) this.directories.close(directory)
    return this.top
  }

  private leave(): void {
    const left = this.stack.length > 1 ? this.stack.pop() : undefined
    if (left === undefined) throw escapes()
    this.directories.close(left)
  }

  private enter(name: string, seen: BigIntStats): void {
    if (!seen.isDirectory()) throw notDirectory()
    const directory = this.directories.openChild(this.top, name)
    this.stack.push(directory)
    if (!isSameObject(seen, fstatSync(directory.fd, { bigint: true }))) throw pathChanged()
  }

  private follow(name: string): void {
    this.hops += 1
    if (this.hops > MAX_HOPS) {
      throw new ToolError("symlink_loop", "The path runs through more than 40 links; use the file's real path.")
    }
    const target = guarded(() => readlinkSync(this.directories.child(this.top, name)))
    const steps = target.startsWith("/") ? this.restart(target) : target.split("/")
    const names = steps.filter((step) => step !== "" && step !== ".")
    this.pending = [...names, ...this.pending]
    this.fromLink += names.length
  }

  /** Goes back to the root for an absolute target, which must lie under the real root by components. */
  private restart(target: string): string[] {
    const root = this.stack[0]?.realPath.split("/").filter((step) => step !== "") ?? []
    const steps = target.split("/").filter((step) => step !== "" && step !== ".")
    if (root.some((step, index) => steps[index] !== step)) throw escapes()
    while (this.stack.length > 1) this.leave()
    return steps.slice(root.length)
  }
}

const protectedPath = (): ToolError =>
  new ToolError("protected_path", "File tools do not reach git's own directory; the git tools give its facts.")

const notDirectory = (): ToolError =>
  new ToolError("not_directory", "A component of the path is not a directory; list the directory above it.")

/**
 * Walks a path component by component from an open root; links are followed while every hop stays inside.
 * @param followLast Whether a link at the end of the path is followed too.
 * @throws ToolError `path_escapes_root`, `symlink_loop`, `protected_path`, `not_directory`, `path_changed`,
 * `file_access_denied`.
 */
export function walk(
  directories: OpenDirectories,
  root: Directory,
  options: { readonly components: readonly string[]; readonly followLast: boolean },
): Located {
  const steps = new Walk(directories, root, options.components)
  try {
    return steps.run(options.followLast)
  } catch (error) {
    steps.abandon()
    throw error
  }
}
