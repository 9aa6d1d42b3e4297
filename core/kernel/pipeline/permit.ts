import type { Caller } from "../../access/principal.ts"
import type { AnyToolDefinition, Elevation } from "../definition.ts"
import { ToolError } from "../error.ts"
import { decidePermission, effectiveMode, type PermissionDecision } from "../permission.ts"
import type { KernelParts } from "./parts.ts"

/** Step 6: the one decision of a permission-bearing call; `undefined` for any other call (spec kernel.md §7). */
export function decide(
  parts: KernelParts,
  caller: Caller,
  { definition, elevation }: { readonly definition: AnyToolDefinition; readonly elevation: Elevation | undefined },
): PermissionDecision | undefined {
  const risk = elevation?.risk ?? definition.risk
  if (risk === "none") return undefined
  return decidePermission({
    requestId: parts.ids.permission(),
    mode: effectiveMode(parts.runtime.authority.mode, caller.mode),
    risk,
    at: parts.clock.now(),
  })
}

/** Anything but an automatic approval does not execute. @throws `permission_denied`. */
export function requirePermission(decision: PermissionDecision | undefined): void {
  if (decision === undefined || decision.status === "auto_approved") return
  const { request_id, reason, risk } = decision
  throw new ToolError(
    "permission_denied",
    `Calls of risk ${risk} need a person's authorization in restricted mode, and nothing is queued. Use tools that read.`,
    { details: { request_id, reason, risk }, executionState: "not_started" },
  )
}
