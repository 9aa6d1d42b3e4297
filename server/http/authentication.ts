import type { Request } from "express"
import type { Caller } from "../../core/access/principal.ts"
import { missingScopes, type Scope, scopeSchema } from "../../core/access/scopes.ts"
import { ToolError } from "../../core/kernel/error.ts"
import { contextOf, type RequestContext } from "./context.ts"

/** The caller that the gate authenticated; every route that needs one has it. */
export function callerOf(context: RequestContext): Caller {
  const { caller } = context.admitted
  if (caller === undefined) throw new Error("a route that needs a credential was reached without one")
  return caller
}

/**
 * tsoa's authentication module (spec doors.md §3.1): the gate has authenticated before any body was read, so this only
 * returns that caller, after checking the operator scopes that a controller names. Throws `insufficient_scope`.
 */
export async function expressAuthentication(
  request: Request,
  _scheme: string,
  scopes: readonly string[] = [],
): Promise<Caller> {
  const caller = callerOf(contextOf(request))
  const required: readonly Scope[] = scopes.map((scope) => scopeSchema.parse(scope))
  const missing = missingScopes(required, caller.scopes)
  if (missing.length === 0) return caller
  throw new ToolError(
    "insufficient_scope",
    `The credential lacks ${missing.join(", ")}. Use one that has it; holdfast token create makes one.`,
    { details: { required: [...required], missing: [...missing] } },
  )
}
