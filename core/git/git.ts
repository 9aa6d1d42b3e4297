import type { ProjectTree } from "../files/fs.ts"
import type { DiffPage, DiffRequest } from "./diff.ts"
import type { GitRun } from "./run.ts"
import type { GitStatus } from "./status.ts"

/** The repository of a Project: its own root's, or one further up where the Project was registered so (§5.1). */
export interface GitTree extends ProjectTree {
  /** A repository above the root counts; every command is then limited to the root. */
  readonly gitAboveRoot?: boolean
}

/** What a status is asked for. */
export interface StatusRequest extends GitRun {
  /** Most files in `files`; the counts are of all. */
  readonly limit: number
  /** Also the subject of HEAD, the number of stashes and suppressed filters, which take further git processes. */
  readonly details: boolean
}

/** Where the work of a Session begins: the tree of HEAD, or the empty tree of an unborn one. */
export interface GitBaseline {
  /** Object id, 40 or 64 hex. */
  readonly tree: string
}

/** Branch, head and cleanness without any list, for `project_overview`. */
export interface GitGlance {
  readonly branch?: string
  readonly head?: string
  readonly clean: boolean
}

/**
 * The facts of a repository (files-and-git.md §5). No method writes, not even the index, and no configuration of the
 * repository runs a command. Every method throws ToolError `not_git_project`, `git_unavailable`, `git_too_old`,
 * `git_unsafe_ownership`, `workspace_missing` or `git_failed`.
 */
export interface Git {
  status(tree: GitTree, request: StatusRequest): Promise<GitStatus>
  /** @throws ToolError also `unknown_revision`, `snapshot_changed`, `invalid_arguments` for a foreign continuation. */
  diff(tree: GitTree, request: DiffRequest): Promise<DiffPage>
  glance(tree: GitTree, run: GitRun): Promise<GitGlance>
  /** HEAD's tree; for an unborn HEAD the repository's own empty tree (workflow.md §2.3). */
  baselineTree(tree: GitTree, run: GitRun): Promise<GitBaseline>
}
