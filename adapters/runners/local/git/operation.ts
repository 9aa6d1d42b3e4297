import { access } from "node:fs/promises"
import { join } from "node:path"
import type { GitOperation } from "../../../../core/git/status.ts"

/** Marks in the git directory of what was begun and not finished; the first that exists counts. */
const MARKS: readonly (readonly [string, GitOperation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry_pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
]

/** Whether a file or directory exists; one that cannot be looked at counts as absent. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** What git was in the middle of, from the files that git itself goes by. */
export async function operationOf(gitDir: string): Promise<GitOperation> {
  const found = await Promise.all(MARKS.map(([name]) => exists(join(gitDir, name))))
  return MARKS[found.indexOf(true)]?.[1] ?? "none"
}
