import type { PermissionId } from "./ids.ts"

/** Why a call needs a permission decision; `none` needs none (spec kernel.md §1). */
export type Risk =
  | "none"
  | "write"
  | "destructive"
  | "shell"
  | "job"
  | "validation"
  | "memory"
  | "project_register"
  | "worktree_create"
  | "network"

/** How much may run without a person (spec kernel.md §7). */
export type AuthorityMode = "trusted_agent" | "restricted"

/** One decision of one permission-bearing call; events, audit and sidecar carry the same object (spec kernel.md §7). */
export interface PermissionDecision {
  readonly request_id: PermissionId
  readonly mode: AuthorityMode
  readonly status: "auto_approved" | "denied"
  readonly reason: "trusted_agent_authority" | "restricted_requires_human_authorization"
  readonly risk: Exclude<Risk, "none">
  /** Wall clock, ms. */
  readonly at: number
}

/** The stricter of the server's mode and the credential's (spec kernel.md §7). */
export function effectiveMode(server: AuthorityMode, credential: AuthorityMode | undefined): AuthorityMode {
  return server === "restricted" || credential === "restricted" ? "restricted" : "trusted_agent"
}

/** Decides a permission-bearing call, once a call; observing calls have no decision (spec kernel.md §7). */
export function decidePermission(request: {
  readonly requestId: PermissionId
  readonly mode: AuthorityMode
  readonly risk: Exclude<Risk, "none">
  readonly at: number
}): PermissionDecision {
  const { requestId, mode, risk, at } = request
  return mode === "trusted_agent"
    ? { request_id: requestId, mode, status: "auto_approved", reason: "trusted_agent_authority", risk, at }
    : { request_id: requestId, mode, status: "denied", reason: "restricted_requires_human_authorization", risk, at }
}
