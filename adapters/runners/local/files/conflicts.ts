import { join } from "node:path"
import type { EditConflict } from "../../../../core/files/fs.ts"
import { pathOf } from "../../../../core/files/paths.ts"
import { editsDirectory, type Journal, JournalDirectory } from "./journal.ts"

/** A batch that could not be undone, as an operator finds it; paths absolute. */
export interface StoredConflict extends EditConflict {
  readonly root: string
  /** Removing it ends the warnings. */
  readonly journal: string
  /** Holds the originals of the files that someone had changed, when there are any. */
  readonly originals: string
}

/** What a journal in state `conflict` says (files-and-git.md §4.4). */
export function conflictOf({ operations }: Journal): EditConflict {
  return { paths: operations.map(({ directory, name }) => pathOf([...directory, name])) }
}

/** Every batch of a data directory that could not be undone; for an operator, without any lock. */
export function storedConflicts(dataDir: string): readonly StoredConflict[] {
  const path = editsDirectory(dataDir)
  const journals = new JournalDirectory(path)
  return journals.ops().flatMap((op) => {
    const journal = journals.read(op)
    if (journal?.state !== "conflict") return []
    const { root } = journal
    return { ...conflictOf(journal), root, journal: join(path, `${op}.json`), originals: join(path, op) }
  })
}
