import type { ConfigOverride } from "./environment.ts"

/** What a repository's own configuration would run, and what stops it (files-and-git.md §5.1). */
export interface ConfigGuard {
  readonly overrides: readonly ConfigOverride[]
  /** Names of filter drivers whose commands were taken away. */
  readonly suppressedFilters: ReadonlySet<string>
  /** The repository's configuration includes other files, whose changes cannot be seen from its own. */
  readonly includes: boolean
}

const FILTER = /^filter\.(.+)\.(?:clean|smudge|process)$/s
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^diff\..+\.(?:command|textconv)$/s, ""],
  [/^merge\..+\.driver$/s, ""],
  [FILTER, ""],
  [/^gpg\.(?:.+\.)?program$/s, "false"],
  [/^credential\./s, ""],
]
const OWN_SCOPES = new Set(["local", "worktree"])

const valueFor = (key: string): string | undefined => RULES.find(([pattern]) => pattern.test(key))?.[1]

/** Reads `git config --list -z --show-scope --name-only`. */
export function guardOf(listing: string): ConfigGuard {
  const parts = listing.split("\0")
  const own = new Set<string>()
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const key = parts[index + 1]
    if (key !== undefined && OWN_SCOPES.has(parts[index] ?? "")) own.add(key)
  }
  const filters = new Set([...own].flatMap((key) => FILTER.exec(key)?.[1] ?? []))
  const named = [...own].flatMap((key): ConfigOverride[] => {
    const value = valueFor(key)
    return value === undefined ? [] : [[key, value]]
  })
  const released = [...filters].map((name): ConfigOverride => [`filter.${name}.required`, "false"])
  return {
    overrides: [...named, ...released],
    suppressedFilters: filters,
    includes: [...own].some((key) => /^include(?:if)?\./i.test(key)),
  }
}
