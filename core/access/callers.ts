import type { AuthorityMode } from "../kernel/permission.ts"
import type { AuthorityGroup, Caller, Principal } from "./principal.ts"
import { authorityOf, localPrincipal } from "./principal.ts"
import type { Scope } from "./scopes.ts"
import { SCOPE_BUNDLES } from "./scopes.ts"

/** Scopes that a model on the other end of stdio never has (spec kernel.md §2.2). */
const NEVER_STDIO: readonly Scope[] = ["admin", "audit:read", "audit:manage", "account:manage"]

/** The trusted local principal of a stdio process: bundle `agent`, narrowed by `--scopes` (spec kernel.md §2.2). */
export function stdioCaller(narrowed?: readonly Scope[]): Caller {
  const scopes = SCOPE_BUNDLES.agent.filter((scope) => narrowed === undefined || narrowed.includes(scope))
  return {
    principal: localPrincipal,
    authority: authorityOf(localPrincipal),
    credential: { kind: "stdio" },
    scopes: new Set(scopes.filter((scope) => !NEVER_STDIO.includes(scope))),
    projects: "*",
  }
}

/** What a host program gives its caller; defaults: the local principal, bundle `agent`, every Project. */
export interface EmbeddedOptions {
  readonly principal?: Principal
  /** Owner of its Sessions; default: the principal's own, none for an embedder's own principal. */
  readonly authority?: AuthorityGroup
  readonly scopes?: readonly Scope[]
  readonly projects?: "*" | readonly string[]
  readonly mode?: AuthorityMode
}

/** The caller of a host program that runs Holdfast in its process (spec kernel.md §2.2, doors.md §6). */
export function embeddedCaller(options: EmbeddedOptions = {}): Caller {
  const { principal = localPrincipal, scopes = SCOPE_BUNDLES.agent, projects = "*", mode } = options
  return {
    principal,
    authority: options.authority ?? authorityOf(principal),
    credential: { kind: "embedded" },
    scopes: new Set(scopes),
    projects,
    ...(mode === undefined ? {} : { mode }),
  }
}
