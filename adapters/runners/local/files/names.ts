import { readdirSync } from "node:fs"
import { twinForm } from "../../../../core/files/paths.ts"
import { isProtectedName } from "../../../../core/files/policy.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { Directory, OpenDirectories } from "./directory.ts"
import { guarded } from "./errno.ts"

const MAX_SUGGESTIONS = 3
const BEYOND_ASCII = /[^\0-\x7f]/

/** Whether two names may be twins: a cheap first look, since directories can hold very many names. */
function mayBeTwins(a: string, b: string): boolean {
  return a.length === b.length || BEYOND_ASCII.test(a) || BEYOND_ASCII.test(b)
}

/** All names in a directory but git's own, in no order. */
export function siblingsIn(directories: OpenDirectories, directory: Directory): readonly string[] {
  return guarded(() => readdirSync(directories.self(directory))).filter((name) => !isProtectedName(name))
}

/** Names that a caller may have meant by one that is missing: equal after NFC and case folding. */
export function suggestNames(siblings: readonly string[], name: string): readonly string[] {
  const wanted = twinForm(name)
  return siblings
    .filter((sibling) => mayBeTwins(sibling, name) && twinForm(sibling) === wanted)
    .sort()
    .slice(0, MAX_SUGGESTIONS)
}

/**
 * Looks for an existing name that a person would take for the new one (files-and-git.md §1.3 "Twins").
 * @returns A sibling that differs in case alone; only a case-sensitive file system lets it come this far.
 * @throws ToolError `path_twin` for a sibling that differs in Unicode normalisation alone.
 */
export function findTwin(siblings: readonly string[], name: string): string | undefined {
  const names = siblings.filter((sibling) => sibling !== name && mayBeTwins(sibling, name))
  const composed = name.normalize("NFC")
  const twin = names.find((sibling) => sibling.normalize("NFC") === composed)
  if (twin !== undefined) {
    throw new ToolError(
      "path_twin",
      "A file whose name looks the same exists in another Unicode form; use that name.",
      {
        details: { existing: twin },
      },
    )
  }
  const folded = twinForm(name)
  return names.find((sibling) => twinForm(sibling) === folded)
}
