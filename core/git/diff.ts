import type { ProjectPath } from "../files/paths.ts"
import type { GitRun } from "./run.ts"
import type { ChangeState } from "./status.ts"

/** Which two states are compared (files-and-git.md §5.2). */
export type DiffMode = "worktree" | "staged" | "head" | "range"

/** One page of a comparison. */
export interface DiffRequest extends GitRun {
  readonly mode: DiffMode
  /** Only for `range`: the older side; what is shown starts at the merge base. */
  readonly base?: string
  /** Only for `range`: the newer side. */
  readonly head?: string
  /** Literal paths, files or directories; empty means the whole root. */
  readonly paths: readonly ProjectPath[]
  readonly includeUntracked: boolean
  readonly format: "hunks" | "stat"
  /** UTF-8 bytes of the serialised `files`, at most. */
  readonly maxBytes: number
  readonly continuation?: string
}

/** A run of changed lines with its context, or a part of one. */
export interface DiffHunk {
  readonly old_start: number
  readonly old_lines: number
  readonly new_start: number
  readonly new_lines: number
  /** Each starts with a space, `+`, `-` or `\`. */
  readonly lines: readonly string[]
  /** The hunk goes on on the next page. */
  readonly cut?: true
  /** A line was longer than a page can hold and is shown in part. */
  readonly line_cut?: true
}

/** One changed path. */
export interface DiffFile {
  readonly path: string
  readonly old_path?: string
  readonly status: ChangeState
  /** Absent where nothing was counted: binary, withheld, suppressed, unmerged. */
  readonly insertions?: number
  readonly deletions?: number
  readonly binary?: true
  readonly mode_change?: { readonly from: string; readonly to: string }
  readonly withheld?: "sensitive"
  readonly filter_suppressed?: true
  readonly submodule?: true
  readonly addressable?: false
  readonly hunks?: readonly DiffHunk[]
}

/** The answer of `git_diff`. */
export interface DiffPage {
  readonly merge_base?: string
  readonly files: readonly DiffFile[]
  readonly has_more: boolean
  readonly next_continuation?: string
  /** Of the whole comparison, only with format `stat`. */
  readonly files_total?: number
  readonly insertions?: number
  readonly deletions?: number
}

/** Where a page starts: entry of the change list, hunk of that entry, line of that hunk, each from 0. */
export interface DiffPosition {
  readonly entry: number
  readonly hunk: number
  readonly line: number
}

/** The first page's position. */
export const DIFF_START: DiffPosition = { entry: 0, hunk: 0, line: 0 }
