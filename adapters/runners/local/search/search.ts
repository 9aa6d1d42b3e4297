import type { OpenPlace, ProjectFs, ProjectTree, Resolved, RootHandle } from "../../../../core/files/fs.ts"
import { ROOT_PATH } from "../../../../core/files/paths.ts"
import type { PathPolicy } from "../../../../core/files/policy.ts"
import { compileGlobs } from "../../../../core/files/search/globs.ts"
import { compilePattern } from "../../../../core/files/search/pattern.ts"
import type { ProjectSearch, SearchPage, SearchQuery } from "../../../../core/files/search/search.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import { searchNatively } from "./native.ts"
import { searchWithRipgrep } from "./rg.ts"
import { findRipgrep } from "./rg-binary.ts"
import { Selection } from "./selection.ts"

/** What searching on this machine needs. */
export interface LocalSearchOptions {
  readonly fs: ProjectFs
  /** The policy by which content is held back. */
  policyOf(tree: ProjectTree): PathPolicy
  /** Environment from which PATH is taken. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** `auto`: ripgrep where there is one (§3); `native`: own code always. */
  readonly backend?: "auto" | "native"
}

/** The `ProjectSearch` port of this machine: ripgrep, else a native walker, under one set of rules. */
export class LocalSearch implements ProjectSearch {
  readonly #options: LocalSearchOptions
  readonly #env: Readonly<Record<string, string>>
  #binary: Promise<string | undefined> | undefined

  constructor(options: LocalSearchOptions) {
    this.#options = options
    this.#env = { PATH: options.environment["PATH"] ?? "", LC_ALL: "C.UTF-8" }
  }

  async search(tree: ProjectTree, query: SearchQuery): Promise<SearchPage> {
    const pattern = compilePattern(query)
    const globs = compileGlobs(query.includeGlobs, query.excludeGlobs)
    const binary = await this.#ripgrep()
    const selection = new Selection(query, { tree, policy: this.#options.policyOf(tree), globs })
    return this.#options.fs.withRoot(query.path === ROOT_PATH ? withoutGuard(tree) : tree, async (root) => {
      const search = async (place: OpenPlace): Promise<SearchPage> => {
        const target = place.resolved
        const page =
          binary === undefined
            ? await searchNatively({ root, target, query, selection, pattern })
            : await searchWithRipgrep({ binary, env: this.#env, root, place, query, selection })
        await requireUnmoved(root, target, query)
        return {
          ...page,
          backend: binary === undefined ? "native" : "rg",
          not_searched: target.kind === "directory" ? selection.notSearched : [],
        }
      }
      return root.within(query.path, search)
    })
  }

  async #ripgrep(): Promise<string | undefined> {
    if (this.#options.backend === "native") return undefined
    this.#binary ??= findRipgrep(this.#env)
    return this.#binary
  }
}

/** The walk of a whole root is pruned by the guard, not refused by it; `Selection` asks it for every file. */
function withoutGuard({ guard: _guard, ...tree }: ProjectTree): ProjectTree {
  return tree
}

/** What is answered is of the place that the path led to: afterwards it must still lead there. */
async function requireUnmoved(root: RootHandle, target: Resolved, query: SearchQuery): Promise<void> {
  if (target.path === ROOT_PATH) return
  const now = await root.resolve(query.path)
  if (now.resolvedPath === target.resolvedPath) return
  throw new ToolError("path_changed", "A component of the path was replaced during the search; search again.", {
    details: { path: query.path },
  })
}
