import { ToolError } from "../kernel/error.ts"
import type { Caller } from "./principal.ts"
import { missingScopes, type Scope } from "./scopes.ts"

/** What a caller wants to give to somebody else. */
export interface Delegation {
  readonly scopes: readonly Scope[]
  /** Slugs, or `*` for all; absent = whatever the receiver's user may access. */
  readonly projects?: readonly string[] | undefined
}

/**
 * Nobody gives what they do not have: a scope that `account:manage` alone does not hold, or a Project outside the caller's own
 * list. Only whoever can write the data directory itself is above this (spec kernel.md §2.2).
 * @throws ToolError `insufficient_scope`, `project_access_denied`
 */
export function requireDelegable(caller: Pick<Caller, "scopes" | "projects">, { scopes, projects }: Delegation): void {
  const missing = missingScopes(scopes, caller.scopes)
  if (missing.length > 0) {
    throw new ToolError(
      "insufficient_scope",
      "A credential cannot give scopes that it does not hold. Leave them out, or use the holdfast command on the server's machine.",
      { details: { required: [...scopes], missing: [...missing] } },
    )
  }
  const own = caller.projects
  if (own === "*" || projects?.every((slug) => own.includes(slug)) === true) return
  throw new ToolError(
    "project_access_denied",
    "A credential for listed Projects can give access to those alone. Name them in projects.",
  )
}
