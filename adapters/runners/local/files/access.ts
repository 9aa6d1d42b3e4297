import type { BigIntStats } from "node:fs"
import { componentsOf, type ProjectPath, pathOf } from "../../../../core/files/paths.ts"
import type { PathPolicy } from "../../../../core/files/policy.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { Directory, OpenDirectories } from "./directory.ts"
import { findTwin, siblingsIn, suggestNames } from "./names.ts"
import { type Located, walk } from "./walk.ts"

/** The rules of one Project, asked with requested and resolved paths. */
export interface AccessRules {
  readonly policy: PathPolicy
  readonly guard?: (path: ProjectPath, access: "read" | "write") => boolean
}

/** An existing object below the root. `parent` stays open until the caller closes it; the root itself has none. */
export interface Target {
  readonly resolvedPath: ProjectPath
  readonly at:
    | { readonly parent: Directory; readonly name: string; readonly stat: BigIntStats }
    | { readonly directory: Directory }
}

/** A name that is free, below an open directory. */
export interface Vacancy {
  readonly resolvedPath: ProjectPath
  readonly parent: Directory
  /** Names to make below `parent`: directories, then the file. */
  readonly missing: readonly [string, ...string[]]
  readonly caseTwin?: string
}

const CLASS_ERRORS = {
  protected: () =>
    new ToolError(
      "protected_path",
      "File tools do not reach this path; the git tools give the facts about a repository.",
    ),
  sensitive: () =>
    new ToolError(
      "sensitive_path",
      "A file of this name may hold secrets, so it is neither read nor written here; ask the operator to allow it.",
    ),
} as const

/** Resolves paths of one call from an open root, under the Project's rules (files-and-git.md §1.2, §1.3). */
export class PathAccess {
  readonly directories: OpenDirectories
  readonly root: Directory
  private readonly rules: AccessRules
  /** Names of directories where files are made, read once a call: a batch may make many in one large directory. */
  private readonly siblings = new Map<string, readonly string[]>()

  constructor(directories: OpenDirectories, root: Directory, rules: AccessRules) {
    this.directories = directories
    this.root = root
    this.rules = rules
  }

  /** @throws ToolError `protected_path`, `sensitive_path`, `guard_denied`. */
  check(path: ProjectPath, access: "read" | "write"): void {
    const kind = this.rules.policy.classify(path)
    if (kind !== "plain") throw CLASS_ERRORS[kind]()
    if (this.rules.guard?.(path, access) === false) {
      throw new ToolError(
        "guard_denied",
        "The Chat Session's folder guard does not allow this path; stay in its folders.",
      )
    }
  }

  /** Whether a name may be shown: sensitive ones are, protected ones and those the guard forbids are not. */
  isVisible(path: ProjectPath): boolean {
    return this.rules.policy.classify(path) !== "protected" && this.rules.guard?.(path, "read") !== false
  }

  /** Finds an existing object, links followed. @throws ToolError as `check` and `walk`, and `not_found`. */
  find(path: ProjectPath, access: "read" | "write"): Target {
    this.check(path, access)
    const located = this.walk(path, true)
    if (located.found === "nothing") throw this.missing(located)
    const resolvedPath = pathOf(
      located.found === "object" ? [...located.parent.components, located.name] : located.directory.components,
    )
    this.check(resolvedPath, access)
    return { resolvedPath, at: located.found === "object" ? located : { directory: located.directory } }
  }

  /** Finds a free name. @throws ToolError as `check` and `walk`, and `path_exists`, `path_twin`, `not_found`. */
  vacancy(path: ProjectPath): Vacancy {
    this.check(path, "write")
    const located = this.walk(path, false)
    if (located.found !== "nothing") {
      throw new ToolError("path_exists", "Something exists at this path; edit or replace it, or choose another name.")
    }
    if (located.dangling) throw this.missing(located)
    const { parent, missing } = located
    const resolvedPath = pathOf([...parent.components, ...missing])
    this.check(resolvedPath, "write")
    const caseTwin = findTwin(this.siblingsIn(parent), missing[0])
    return { resolvedPath, parent, missing, ...(caseTwin === undefined ? {} : { caseTwin }) }
  }

  private siblingsIn(directory: Directory): readonly string[] {
    const key = directory.components.join("/")
    const known = this.siblings.get(key) ?? siblingsIn(this.directories, directory)
    this.siblings.set(key, known)
    return known
  }

  private walk(path: ProjectPath, followLast: boolean): Located {
    return walk(this.directories, this.root, { components: componentsOf(path), followLast })
  }

  private missing({ parent, missing, dangling }: Extract<Located, { found: "nothing" }>): ToolError {
    if (dangling) {
      return new ToolError(
        "not_found",
        "The path runs through a link whose target is missing; use a path that exists.",
        {
          details: { dangling_symlink: true },
        },
      )
    }
    const names = suggestNames(this.siblingsIn(parent), missing[0])
    const suggestions = names.map((name) => [...parent.components, name, ...missing.slice(1)].join("/"))
    return new ToolError(
      "not_found",
      "Nothing exists at this path; list the directory above it to find the right name.",
      {
        details: suggestions.length === 0 ? {} : { did_you_mean: suggestions },
      },
    )
  }
}
