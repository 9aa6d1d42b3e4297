import { lstatSync, readFileSync, type Stats } from "node:fs"
import { join, resolve } from "node:path"
import type { RuleFile } from "../../../../core/files/search/ignore-rules.ts"
import { IgnoreRules } from "../../../../core/files/search/ignore-rules.ts"

const MAX_RULE_BYTES = 1024 * 1024

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** Text of a regular file of rules; undefined where there is none that can be read. */
function rulesText(path: string): string | undefined {
  const stats = statOf(path)
  if (stats === undefined || !stats.isFile() || stats.size > MAX_RULE_BYTES) return undefined
  try {
    return readFileSync(path, "utf8")
  } catch {
    return undefined
  }
}

/** `info/exclude` of the repository whose `.git` is at `dotGit`, also where that is a file that names the place. */
function excludeText(dotGit: string, isDirectory: boolean): string | undefined {
  if (isDirectory) return rulesText(join(dotGit, "info/exclude"))
  const named = /^gitdir: (.+)$/m.exec(rulesText(dotGit) ?? "")?.[1]
  if (named === undefined) return undefined
  const gitDir = resolve(dotGit, "..", named.trim())
  const common = rulesText(join(gitDir, "commondir"))?.trim()
  return rulesText(join(common === undefined ? gitDir : resolve(gitDir, common), "info/exclude"))
}

/** The ignore rules of every directory of one root, read when they are first asked for and kept for one search. */
export class IgnoreIndex {
  readonly #root: string
  readonly #known = new Map<string, IgnoreRules>()

  /** @param root Directory that stays the root while it is used. */
  constructor(root: string) {
    this.#root = root
  }

  /** The rules in force for the children of a directory; empty text for the root. */
  rulesIn(directory: string): IgnoreRules {
    const known = this.#known.get(directory)
    if (known !== undefined) return known
    const made = this.#make(directory)
    this.#known.set(directory, made)
    return made
  }

  /** Whether a file, or a directory above it that lies below `from`, is ignored. */
  ignoresFile(path: string, from: string): boolean {
    const parts = path.split("/")
    const start = from === "" ? 0 : from.split("/").length
    return parts.slice(start).some((_, index) => {
      const depth = start + index
      const rules = this.rulesIn(parts.slice(0, depth).join("/"))
      return rules.ignores(parts.slice(0, depth + 1).join("/"), depth + 1 < parts.length)
    })
  }

  #make(directory: string): IgnoreRules {
    const above = directory === "" ? IgnoreRules.none : this.rulesIn(parentOf(directory))
    const at = join(this.#root, directory)
    const dotGit = statOf(join(at, ".git"))
    const gitignore = rulesText(join(at, ".gitignore"))
    const exclude = dotGit === undefined ? undefined : excludeText(join(at, ".git"), dotGit.isDirectory())
    const files: RuleFile[] = []
    if (gitignore !== undefined) files.push({ kind: "gitignore", text: gitignore })
    if (exclude !== undefined) files.push({ kind: "exclude", text: exclude })
    return above.enter(directory, files, dotGit !== undefined)
  }
}

const parentOf = (directory: string): string => directory.slice(0, Math.max(0, directory.lastIndexOf("/")))
