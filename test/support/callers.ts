import { authorityOf, type Caller, localPrincipal, type Principal } from "../../core/access/principal.ts"
import { SCOPE_BUNDLES, type Scope } from "../../core/access/scopes.ts"

/** A caller with bundle `agent` and every Project, unless changed. */
export function callerOf(principal: Principal, changes: Partial<Caller> = {}): Caller {
  return {
    principal,
    authority: authorityOf(principal),
    credential: { kind: principal.kind === "local" ? "stdio" : "user_token" },
    scopes: new Set<Scope>(SCOPE_BUNDLES.agent),
    projects: "*",
    ...changes,
  }
}

/** The person who started the process. */
export const local = callerOf(localPrincipal)
/** Two users who share every Project and no Session. */
export const alice = userNamed("alice")
export const bob = userNamed("bob")

/** A named user. */
export function userNamed(name: string, changes: Partial<Caller> = {}): Caller {
  return callerOf({ kind: "user", id: `user:${name}`, name }, changes)
}

/** A project grant for listed Projects. */
export function grantFor(projects: readonly string[]): Caller {
  return callerOf(
    { kind: "grant", id: "grant:g1", grant: "g1" },
    { credential: { kind: "project_grant" }, scopes: new Set<Scope>(SCOPE_BUNDLES.grant), projects },
  )
}
