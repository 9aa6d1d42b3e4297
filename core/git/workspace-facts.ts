import { isToolError } from "../kernel/error.ts"
import type { Git, GitTree } from "./git.ts"
import type { GitRun } from "./run.ts"
import type { GitStatus } from "./status.ts"

/** Why facts of a workspace are missing (workflow.md §2.4). */
export type WorkspaceReason =
  | "not_git"
  | "git_failed"
  | "timed_out"
  | "workspace_missing"
  | "runner_unavailable"
  | "no_project"

/** One shape for start, brief and finish (workflow.md §2.4); a fact is null when it is unknown. */
export interface WorkspaceFacts {
  readonly status: "available" | "not_requested" | "unavailable"
  readonly reason_code: WorkspaceReason | null
  /** ≤ 256 characters. */
  readonly branch: string | null
  /** Full object id. */
  readonly head: string | null
  readonly detached: boolean | null
  /** Counts untracked files too; ignored ones are excluded. */
  readonly dirty: boolean | null
  readonly conflicted: boolean | null
  readonly ahead: number | null
  readonly behind: number | null
  readonly changed_count: number | null
  readonly untracked_count: number | null
}

/** Facts when nothing is known; `not_git` is no failure, since git is not required. */
export function unknownWorkspace(status: WorkspaceFacts["status"], reason: WorkspaceReason | null): WorkspaceFacts {
  return {
    status,
    reason_code: reason,
    branch: null,
    head: null,
    detached: null,
    dirty: null,
    conflicted: null,
    ahead: null,
    behind: null,
    changed_count: null,
    untracked_count: null,
  }
}

/** The facts that one status tells. */
export function workspaceFactsOf(status: GitStatus): WorkspaceFacts {
  return {
    status: "available",
    reason_code: null,
    branch: status.head.branch?.slice(0, 256) ?? null,
    head: status.head.commit ?? null,
    detached: status.head.detached,
    dirty: !status.clean,
    conflicted: status.counts.conflicted > 0,
    ahead: status.upstream.ahead ?? null,
    behind: status.upstream.behind ?? null,
    changed_count: status.files_total - status.counts.untracked,
    untracked_count: status.counts.untracked,
  }
}

function reasonOf(error: unknown): WorkspaceFacts {
  if (!isToolError(error)) throw error
  if (error.kind === "not_git_project") return unknownWorkspace("available", "not_git")
  if (error.kind === "workspace_missing") return unknownWorkspace("unavailable", "workspace_missing")
  if (error.kind === "cancelled") throw error
  return unknownWorkspace("unavailable", error.executionState === "timed_out" ? "timed_out" : "git_failed")
}

/** Observes a Project's workspace with one status; a failure of git becomes a reason, never an error. */
export async function observeWorkspace(git: Git, tree: GitTree, run: GitRun): Promise<WorkspaceFacts> {
  try {
    return workspaceFactsOf(await git.status(tree, { ...run, limit: 0, details: false }))
  } catch (error) {
    return reasonOf(error)
  }
}
