import type { ChangeEntry } from "../../../../core/git/change-list.ts"
import type { DiffFile } from "../../../../core/git/diff.ts"
import type { GitScope } from "./scope.ts"
import { ARGUMENT_BYTES, ARGUMENT_COUNT } from "./scope.ts"

/** Entries of a change list that are shown by name and state alone, by path. */
export type ClosedEntries = ReadonlyMap<string, DiffFile>

/** Why an entry's content is not shown (files-and-git.md §1.2, §5.1); undefined when it is. */
function reasonOf(scope: GitScope, entry: ChangeEntry, suppressed: ReadonlySet<string>): Partial<DiffFile> | undefined {
  const classes = [entry.path, ...(entry.oldPath === undefined ? [] : [entry.oldPath])].map((path) =>
    scope.classOf(path),
  )
  if (classes.includes("held_back")) return { withheld: "sensitive" }
  if (classes.includes("unaddressable")) return { addressable: false }
  if (suppressed.has(entry.path)) return { filter_suppressed: true }
  return entry.kind === "unmerged" ? {} : undefined
}

/** Finds the closed entries of a list. */
export async function closedEntries(scope: GitScope, list: readonly ChangeEntry[]): Promise<ClosedEntries> {
  const shown = list.filter((entry) => entry.kind !== "trace")
  const suppressed = await scope.suppressed(shown.map((entry) => entry.path))
  const closed = shown.flatMap((entry): [string, DiffFile][] => {
    const reason = reasonOf(scope, entry, suppressed)
    if (reason === undefined) return []
    const old = entry.oldPath === undefined ? {} : { old_path: entry.oldPath }
    return [[entry.path, { path: entry.path, ...old, status: entry.status, ...reason }]]
  })
  return new Map(closed)
}

/** A run of entries that one git process can be asked about. */
export interface EntryBatch {
  readonly specs: readonly string[]
  /** First entry that is not in it. */
  readonly end: number
}

/**
 * The entries from `from` on whose content git may compare, as literal pathspecs with their rename partners, as many as
 * fit one argument list. Nothing that is held back is among them, under no name that it had.
 */
export function entryBatch(
  scope: GitScope,
  of: { readonly list: readonly ChangeEntry[]; readonly closed: ClosedEntries },
  from: number,
): EntryBatch {
  const renamedTo = new Map(
    of.list.flatMap((entry) => (entry.oldPath === undefined ? [] : [[entry.oldPath, entry.path]])),
  )
  const specs = new Set<string>()
  let bytes = 0
  for (let index = from; index < of.list.length; index += 1) {
    const entry = of.list[index]
    if (entry === undefined || entry.kind === "untracked") return { specs: [...specs], end: index }
    const partner = entry.oldPath ?? renamedTo.get(entry.path)
    const names = [entry.path, ...(partner === undefined ? [] : [partner])]
    if (names.some((name) => of.closed.has(name))) continue
    const open = names.filter((name) => !specs.has(name) && scope.classOf(name) === "plain")
    bytes += open.reduce((sum, name) => sum + Buffer.byteLength(name) + 1, 0)
    if (specs.size > 0 && (bytes > ARGUMENT_BYTES || specs.size + open.length > ARGUMENT_COUNT)) {
      return { specs: [...specs], end: index }
    }
    for (const name of open) specs.add(name)
  }
  return { specs: [...specs], end: of.list.length }
}
