import { createHash } from "node:crypto"
import type { BigIntStats } from "node:fs"
import { mkdirSync } from "node:fs"
import type { BatchOperation } from "../../../../core/files/edits/batch.ts"
import type { PathAccess } from "./access.ts"
import type { Directory } from "./directory.ts"
import { hasErrno, pathChanged } from "./errno.ts"
import type { JournalOperation } from "./journal.ts"

/** Where one operation happens: below an open directory, whose missing children are still to be made. */
export interface Placement {
  readonly index: number
  readonly operation: BatchOperation
  readonly base: Directory
  readonly below: readonly string[]
  readonly name: string
  /** The file that will be replaced. */
  readonly original?: BigIntStats
}

/** Resolves an operation under the write lock. @throws ToolError as the port's `resolve` and `freeName`. */
export function place(access: PathAccess, operation: BatchOperation, index: number): Placement {
  if (operation.kind === "create") {
    const { parent, missing } = access.vacancy(operation.path)
    const name = missing.at(-1) ?? missing[0]
    return { index, operation, base: parent, below: missing.slice(0, -1), name }
  }
  const { at } = access.find(operation.path, "write")
  if ("directory" in at) throw pathChanged()
  return { index, operation, base: at.parent, below: [], name: at.name, original: at.stat }
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** The journal's view of a placement. */
export function journalled(op: string, { index, operation, base, below, name }: Placement): JournalOperation {
  const temporary = `.holdfast-${op}-${index}`
  return {
    kind: operation.kind,
    directory: [...base.components, ...below],
    name,
    staged: `${temporary}.new`,
    ...(operation.kind === "replace" ? { backup: `${temporary}.old`, old_sha256: operation.source.sha256 } : {}),
    new_sha256: sha256(operation.content),
    in_place: false,
  }
}

/** Every directory that the placements need and that is missing, parents first, each once. */
export function missingDirectories(placements: readonly Placement[]): string[][] {
  const paths = placements.flatMap(({ base, below }) =>
    below.map((_, index) => [...base.components, ...below.slice(0, index + 1)]),
  )
  const unique = new Map(paths.map((path) => [path.join("/"), path]))
  return [...unique.values()].sort((a, b) => a.length - b.length)
}

/** Makes the missing directories of a placement and opens the last; one that appeared meanwhile is used. */
export function openParent({ directories }: PathAccess, { base, below }: Placement): Directory {
  let directory = base
  for (const name of below) {
    try {
      mkdirSync(directories.child(directory, name))
    } catch (error) {
      if (!hasErrno(error, ["EEXIST"])) throw error
    }
    directory = directories.openChild(directory, name)
  }
  return directory
}
