import type { ProjectTree } from "../../../../core/files/fs.ts"
import type { ProjectPath } from "../../../../core/files/paths.ts"
import { checkPath, componentsOf } from "../../../../core/files/paths.ts"
import type { PathPolicy } from "../../../../core/files/policy.ts"
import { isBulkName } from "../../../../core/files/policy.ts"
import type { GlobFilter } from "../../../../core/files/search/globs.ts"
import type { NotSearched, SearchQuery } from "../../../../core/files/search/search.ts"

/** Decides by name which entries below the searched path are looked at. Paths are real ones, below the root. */
export class Selection {
  readonly #tree: ProjectTree
  readonly #policy: PathPolicy
  readonly #globs: GlobFilter
  readonly #query: SearchQuery
  /** Bulk trees are skipped: not asked for, and the search does not start in one. */
  readonly skipsBulk: boolean

  constructor(
    query: SearchQuery,
    by: { readonly tree: ProjectTree; readonly policy: PathPolicy; readonly globs: GlobFilter },
  ) {
    this.#query = query
    this.#tree = by.tree
    this.#policy = by.policy
    this.#globs = by.globs
    this.skipsBulk = !query.includeIgnored && !componentsOf(query.path).some(isBulkName)
  }

  /** No exception of the operator's touches the built-in list of sensitive names. */
  get holdsBackBuiltIn(): boolean {
    return (this.#tree.filePolicy?.sensitive_allow.length ?? 0) === 0
  }

  /** Whether a file's content may be searched, by its requested and its real name. */
  wantsFile(path: string, realPath: string): boolean {
    return this.#permits(path) && (realPath === path || this.#permits(realPath)) && this.#globs.wantsFile(path)
  }

  /** Whether a directory is gone into. */
  entersDirectory(path: string): boolean {
    const checked = checkPath(path)
    if (checked.path === undefined || this.#policy.classify(checked.path) === "protected") return false
    if (this.skipsBulk && isBulkName(path.slice(path.lastIndexOf("/") + 1))) return false
    return !this.#globs.excludesDirectory(path)
  }

  /** The classes that the rules leave out of a search of a directory. */
  get notSearched(): readonly NotSearched[] {
    const ignored: readonly NotSearched[] = this.#query.includeIgnored ? [] : ["ignored"]
    return [
      "sensitive",
      ...ignored,
      ...(this.skipsBulk ? (["bulk"] as const) : []),
      ...(this.#tree.guard === undefined ? [] : (["guard"] as const)),
    ]
  }

  #permits(path: string): boolean {
    const checked: ProjectPath | undefined = checkPath(path, "file").path
    if (checked === undefined || checked !== path || path.includes("\uFFFD")) return false
    if (this.#tree.guard?.(checked, "read") === false) return false
    if (this.skipsBulk && this.#below(checked).some(isBulkName)) return false
    return this.#policy.classify(checked) === "plain"
  }

  /** Directories of a path below the one that is searched. */
  #below(path: ProjectPath): readonly string[] {
    return componentsOf(path).slice(componentsOf(this.#query.path).length, -1)
  }
}
