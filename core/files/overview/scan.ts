import { isToolError } from "../../kernel/error.ts"
import type { DirectoryEntry, EntryKind, ProjectTree, RootHandle } from "../fs.ts"
import { checkPath, comparePaths, componentsOf, type ProjectPath } from "../paths.ts"
import { createPathPolicy, isBulkName } from "../policy.ts"
import { IgnoreRules, type RuleFile } from "../search/ignore-rules.ts"

/** One name that a scan met. */
export interface ScannedEntry {
  /** Relative to the Project root. */
  readonly path: string
  readonly name: string
  readonly kind: EntryKind
  /** 1 directly below the scanned directory. */
  readonly depth: number
  readonly sensitive: boolean
  readonly addressable: boolean
}

/** Names of a tree, shallow ones first, and what was left out. */
export interface Scan {
  readonly entries: readonly ScannedEntry[]
  /** More names exist within the depth. */
  readonly truncated: boolean
  /** Directories that were not gone into, and names that the folder guard hides. */
  readonly skipped: { readonly bulk: number; readonly ignored: number; readonly guard: number }
}

/** How far a scan goes. */
export interface ScanBounds {
  readonly maxDepth: number
  readonly limit: number
  readonly signal: AbortSignal
}

const RULE_BYTES = 1024 * 1024

/** Text of `.gitignore` in a directory; undefined where there is none that can be read. */
async function rulesText(root: RootHandle, directory: string): Promise<string | undefined> {
  const { path } = checkPath(directory === "" ? ".gitignore" : `${directory}/.gitignore`, "file")
  if (path === undefined) return undefined
  const decoder = new TextDecoder()
  let text = ""
  const sink = () => ({
    push: (chunk: Uint8Array) => {
      text += decoder.decode(chunk, { stream: true })
    },
    end: () => text,
  })
  try {
    return (await root.read(path, { limitBytes: RULE_BYTES, sink })).content
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}

async function rulesIn(root: RootHandle, above: IgnoreRules, directory: string): Promise<IgnoreRules> {
  const text = await rulesText(root, directory)
  const files: readonly RuleFile[] = text === undefined ? [] : [{ kind: "gitignore", text }]
  return above.enter(directory, files, false)
}

/** The rules in force in the directory where a scan starts. */
async function rulesAt(root: RootHandle, path: ProjectPath): Promise<IgnoreRules> {
  let rules = await rulesIn(root, IgnoreRules.none, "")
  for (const [index] of componentsOf(path).entries()) {
    rules = await rulesIn(
      root,
      rules,
      componentsOf(path)
        .slice(0, index + 1)
        .join("/"),
    )
  }
  return rules
}

interface Level {
  readonly directory: string
  readonly rules: IgnoreRules
}

class Scanner {
  readonly #root: RootHandle
  readonly #tree: ProjectTree
  readonly #bounds: ScanBounds
  readonly #policy
  readonly #entries: ScannedEntry[] = []
  readonly #skipped = { bulk: 0, ignored: 0, guard: 0 }
  #truncated = false

  constructor(root: RootHandle, tree: ProjectTree, bounds: ScanBounds) {
    this.#root = root
    this.#tree = tree
    this.#bounds = bounds
    this.#policy = createPathPolicy(tree.filePolicy)
  }

  async scan(path: ProjectPath): Promise<Scan> {
    let levels: readonly Level[] = [{ directory: path === "." ? "" : path, rules: await rulesAt(this.#root, path) }]
    for (let depth = 1; depth <= this.#bounds.maxDepth && levels.length > 0; depth += 1) {
      const next: Level[] = []
      for (const level of levels) {
        if (this.#truncated || this.#bounds.signal.aborted) break
        next.push(...(await this.#level(level, depth)))
      }
      levels = next
    }
    return { entries: this.#entries, truncated: this.#truncated, skipped: this.#skipped }
  }

  async #level(level: Level, depth: number): Promise<readonly Level[]> {
    const below: Level[] = []
    for (const entry of await this.#list(level.directory, depth)) {
      const path = level.directory === "" ? entry.name : `${level.directory}/${entry.name}`
      if (!this.#shows(path, entry, depth)) continue
      if (depth === this.#bounds.maxDepth || !this.#enters(path, entry, level.rules)) continue
      below.push({ directory: path, rules: await rulesIn(this.#root, level.rules, path) })
    }
    return below
  }

  async #list(directory: string, depth: number): Promise<readonly DirectoryEntry[]> {
    const { path } = checkPath(directory === "" ? "." : directory)
    if (path === undefined) return []
    try {
      return await this.#root.list(path)
    } catch (error) {
      if (depth > 1 && isToolError(error)) return []
      throw error
    }
  }

  /** Notes a name, unless the guard hides it or the scan is full. */
  #shows(path: string, entry: DirectoryEntry, depth: number): boolean {
    if (this.#truncated) return false
    const checked = checkPath(path, "file").path
    if (checked !== undefined && this.#tree.guard?.(checked, "read") === false) {
      this.#skipped.guard += 1
      return false
    }
    if (this.#entries.length >= this.#bounds.limit) {
      this.#truncated = true
      return false
    }
    const sensitive = checked !== undefined && this.#policy.classify(checked) === "sensitive"
    const addressable = entry.addressable && checked !== undefined
    this.#entries.push({ path, name: entry.name, kind: entry.kind, depth, sensitive, addressable })
    return true
  }

  #enters(path: string, entry: DirectoryEntry, rules: IgnoreRules): boolean {
    if (entry.kind !== "directory" || !entry.addressable) return false
    const skipped = isBulkName(entry.name) ? "bulk" : rules.ignores(path, true) ? "ignored" : undefined
    if (skipped !== undefined) this.#skipped[skipped] += 1
    return skipped === undefined
  }
}

/**
 * Meets the names below a directory level by level, each level in the order of lists; nothing is read but ignore rules.
 * @throws ToolError `not_directory`, `not_found` and those of path resolution, for `path` itself.
 */
export async function scanTree(
  root: RootHandle,
  at: { readonly tree: ProjectTree; readonly path: ProjectPath },
  bounds: ScanBounds,
): Promise<Scan> {
  const scan = await new Scanner(root, at.tree, bounds).scan(at.path)
  return { ...scan, entries: [...scan.entries].sort((a, b) => comparePaths(a.path, b.path)) }
}
