/** State of one side of a path, in words (files-and-git.md §5.2). */
export type ChangeState =
  | "unmodified"
  | "modified"
  | "added"
  | "deleted"
  | "renamed"
  | "copied"
  | "type_changed"
  | "unmerged"
  | "untracked"

/** One path that differs from HEAD or the index, or is untracked. */
export interface StatusFile {
  readonly path: string
  /** Name before a rename or copy. */
  readonly old_path?: string
  /** HEAD → index. */
  readonly index: ChangeState
  /** Index → file. */
  readonly worktree: ChangeState
  /** Which sides of a merge conflict exist, such as `both_modified`. */
  readonly conflict?: Conflict
  readonly submodule?: true
  /** The content of the path is held back by the path policy. */
  readonly sensitive?: true
  /** The path's filter is a command of the repository's own configuration, which is never run; its state is unsure. */
  readonly filter_suppressed?: true
  /** The real name breaks the lexical rules; `path` is lossy. */
  readonly addressable?: false
}

/** The seven shapes of an unmerged path. */
export type Conflict =
  | "both_deleted"
  | "added_by_us"
  | "deleted_by_them"
  | "added_by_them"
  | "deleted_by_us"
  | "both_added"
  | "both_modified"

/** Where HEAD is. */
export interface StatusHead {
  readonly commit?: string
  readonly branch?: string
  readonly detached: boolean
  readonly unborn: boolean
  /** First line of HEAD's message, ≤ 200 characters. */
  readonly subject?: string
}

/** The branch that the current one follows. */
export interface StatusUpstream {
  readonly status: "available" | "absent" | "gone"
  readonly name?: string
  readonly ahead?: number
  readonly behind?: number
}

/** What git was in the middle of. */
export type GitOperation = "none" | "merge" | "rebase" | "cherry_pick" | "revert" | "bisect" | "am"

/** Numbers of paths; one path may count as staged and as unstaged. */
export interface StatusCounts {
  readonly staged: number
  readonly unstaged: number
  readonly untracked: number
  readonly conflicted: number
}

/** The answer of `git_status`. */
export interface GitStatus {
  readonly head: StatusHead
  readonly upstream: StatusUpstream
  readonly operation: GitOperation
  readonly clean: boolean
  /** Submodules whose own files were not looked at, so that `clean` says nothing about them; absent for none. */
  readonly submodules_unchecked?: number
  readonly counts: StatusCounts
  readonly files: readonly StatusFile[]
  readonly files_total: number
  readonly files_truncated: boolean
  readonly stash_count: number
}

/** Counts of a full list of changed paths. */
export function countStatus(files: readonly StatusFile[]): StatusCounts {
  const count = (test: (file: StatusFile) => boolean): number => files.filter(test).length
  const isUnmerged = (file: StatusFile): boolean => file.conflict !== undefined
  const isUntracked = (file: StatusFile): boolean => file.worktree === "untracked"
  return {
    staged: count((file) => !isUnmerged(file) && !isUntracked(file) && file.index !== "unmodified"),
    unstaged: count((file) => !isUnmerged(file) && !isUntracked(file) && file.worktree !== "unmodified"),
    untracked: count(isUntracked),
    conflicted: count(isUnmerged),
  }
}
