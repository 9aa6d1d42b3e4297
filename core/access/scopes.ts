import { z } from "zod"

/** The closed set of scopes (spec kernel.md §2.3). */
export const SCOPES = [
  "runtime:read",
  "project:read",
  "project:write",
  "job:run",
  "job:detach",
  "remote:use",
  "session:collaborate",
  "memory:read",
  "memory:manage",
  "chat:read",
  "chat:use",
  "chat:manage",
  "upstream:call",
  "plugin:inspect",
  "run:read",
  "run:use",
  "conversation:read",
  "conversation:use",
  "conversation:agent",
  "audit:read",
  "audit:manage",
  "account:manage",
  "admin",
] as const

/** One of `SCOPES`. */
export const scopeSchema = z.enum(SCOPES)

/** One right to use tools; `admin` satisfies every check (spec kernel.md §2.3). */
export type Scope = z.infer<typeof scopeSchema>

const OPERATOR: readonly Scope[] = ["audit:read", "audit:manage", "account:manage", "admin"]

/** Named sets of scopes (spec kernel.md §2.3): `agent` is the default of user tokens, `grant` of project grants. */
export const SCOPE_BUNDLES = {
  read: SCOPES.filter((scope) => scope.endsWith(":read") && scope !== "audit:read"),
  agent: SCOPES.filter((scope) => !OPERATOR.includes(scope) && scope !== "conversation:agent"),
  grant: ["runtime:read", "project:read", "project:write", "job:run", "session:collaborate"],
  local: SCOPES.filter((scope) => scope !== "admin" && scope !== "conversation:agent"),
} as const satisfies Record<string, readonly Scope[]>

/** The scopes of `required` that `held` does not satisfy, in order; empty when all are (spec kernel.md §2.3). */
export function missingScopes(required: readonly Scope[], held: ReadonlySet<Scope>): readonly Scope[] {
  return held.has("admin") ? [] : required.filter((scope) => !held.has(scope))
}
