import type { RootHandle } from "../../../../core/files/fs.ts"
import { checkPath } from "../../../../core/files/paths.ts"
import type { PathPolicy } from "../../../../core/files/policy.ts"
import type { GitTree } from "../../../../core/git/git.ts"
import type { Repository } from "./repository.ts"
import type { GitLimits, GitPlace, GitRunner } from "./runner.ts"

/** What the path policy makes of a name that git reported. */
export type NameClass = "plain" | "held_back" | "unaddressable" | "denied"

/** One call's view of one repository: where its processes run, and names turned between the work tree and the Project. */
export class GitScope {
  readonly runner: GitRunner
  readonly repository: Repository
  readonly root: RootHandle
  readonly limits: GitLimits
  readonly #tree: GitTree
  readonly #policy: PathPolicy

  constructor(
    runner: GitRunner,
    repository: Repository,
    at: { readonly tree: GitTree; readonly root: RootHandle; readonly policy: PathPolicy; readonly limits: GitLimits },
  ) {
    this.runner = runner
    this.repository = repository
    this.root = at.root
    this.limits = at.limits
    this.#tree = at.tree
    this.#policy = at.policy
  }

  /** Place of a git process at the root. */
  get place(): GitPlace {
    const { gitDir, workTree, guard } = this.repository
    return { cwd: this.root.cwd, location: { gitDir, workTree }, overrides: guard.overrides }
  }

  /** The Project's name of a path of the work tree; undefined outside the root. */
  nameOf(path: string): string | undefined {
    const { prefix } = this.repository
    return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
  }

  /** Pathspecs that keep a command inside the root; none are needed where the root is the whole work tree. */
  get everything(): readonly string[] {
    return this.repository.prefix === "" ? [] : ["."]
  }

  /** What may be shown of a name. */
  classOf(name: string): NameClass {
    const { path } = checkPath(name, "file")
    if (path === undefined || path !== name || name.includes("\uFFFD")) return "unaddressable"
    if (this.#tree.guard?.(path, "read") === false) return "denied"
    return this.#policy.classify(path) === "plain" ? "plain" : "held_back"
  }

  /** Which of the paths have a filter whose command was taken away. */
  async suppressed(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const filters = this.repository.guard.suppressedFilters
    if (filters.size === 0 || paths.length === 0) return new Set()
    const found = new Set<string>()
    for (const batch of batches(paths)) {
      const { text } = await this.runner.text(this.place, ["check-attr", "-z", "filter", "--", ...batch], this.limits)
      const parts = text.split("\0")
      for (let index = 0; index + 2 < parts.length; index += 3) {
        if (filters.has(parts[index + 2] ?? "")) found.add(parts[index] ?? "")
      }
    }
    return found
  }
}

/** Bytes and number of paths that one argument list is given. */
export const ARGUMENT_BYTES = 96 * 1024
export const ARGUMENT_COUNT = 1000

/** Cuts a list of paths into parts that fit one argument list. */
export function batches(paths: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = []
  let part: string[] = []
  let bytes = 0
  for (const path of paths) {
    const size = Buffer.byteLength(path) + 1
    if (part.length > 0 && (bytes + size > ARGUMENT_BYTES || part.length >= ARGUMENT_COUNT)) {
      parts.push(part)
      part = []
      bytes = 0
    }
    part.push(path)
    bytes += size
  }
  return part.length === 0 ? parts : [...parts, part]
}
