import { ToolError } from "../../../../core/kernel/error.ts"
import type { ConfigOverride } from "./environment.ts"

/** What a repository's own configuration would run, and what stops it (files-and-git.md §5.1). */
export interface ConfigGuard {
  readonly overrides: readonly ConfigOverride[]
  /** Names of filter drivers whose commands were taken away. */
  readonly suppressedFilters: ReadonlySet<string>
  /** The repository's configuration includes other files, whose changes cannot be seen from its own. */
  readonly includes: boolean
}

const FILTER = /^filter\.(.*)\.(?:clean|smudge|process)$/s

/** What takes a command away, by key. The first rule that fits counts; a subsection may be empty or hold anything. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^diff\..*\.(?:command|textconv)$/s, ""],
  [/^merge\..*\.driver$/s, ""],
  [FILTER, ""],
  [/^credential\./s, ""],
  [/^pager\./s, "false"],
  // Any other key that names a command by its last part, also one of a git that is newer than this list.
  [/\.(?:[a-z]*command|cmd|program|driver|textconv|helper|editor|pager|browser)$/s, "false"],
]

/** Scopes that the person or the machine answers for, and these very overrides. Everything else is the repository's. */
const FOREIGN_SCOPES = new Set(["system", "global", "command"])

/** More commands than this are no repository's honest configuration, and no environment holds them. */
const MOST_OVERRIDES = 1000

const valueFor = (key: string): string | undefined => RULES.find(([pattern]) => pattern.test(key))?.[1]

function refuse(why: string): never {
  throw new ToolError("git_failed", `The repository's own configuration ${why}; correct it in a shell.`, {
    details: { exit_code: null, stderr_tail: "" },
  })
}

/** The overrides; a name that an environment cannot carry byte by byte could not be overridden, so it is refused. */
function overridesOf(own: ReadonlySet<string>, filters: ReadonlySet<string>): readonly ConfigOverride[] {
  const named = [...own].flatMap((key): ConfigOverride[] => {
    const value = valueFor(key)
    return value === undefined ? [] : [[key, value]]
  })
  const overrides = [...named, ...[...filters].map((name): ConfigOverride => [`filter.${name}.required`, "false"])]
  if (overrides.length > MOST_OVERRIDES) refuse("names more than 1000 commands")
  if (overrides.some(([key]) => key.includes("\uFFFD"))) refuse("names a command under a name that is not UTF-8")
  return overrides
}

/**
 * Reads `git config --list -z --show-scope --name-only`.
 * @throws ToolError `git_failed` when what a repository would run cannot be taken away for certain.
 */
export function guardOf(listing: { readonly text: string; readonly cut: boolean }): ConfigGuard {
  if (listing.cut) refuse("is longer than 8 MiB")
  const parts = listing.text.split("\0")
  const own = new Set<string>()
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const key = parts[index + 1]
    if (key !== undefined && !FOREIGN_SCOPES.has(parts[index] ?? "")) own.add(key)
  }
  const filters = new Set([...own].flatMap((key) => FILTER.exec(key)?.[1] ?? []))
  return {
    overrides: overridesOf(own, filters),
    suppressedFilters: filters,
    includes: [...own].some((key) => /^include(?:if)?\./i.test(key)),
  }
}
