import type { Attached, SessionRecord, ToolErrorBody, ToolResult } from "../result.ts"
import { errorBody } from "./error-body.ts"
import type { Outcome } from "./events.ts"
import { filterReply } from "./filter.ts"
import type { KernelParts } from "./parts.ts"
import type { CallPlan } from "./plan.ts"

/** Step 10 for a call that reached its handler: sidecars, redaction, budget. */
export function buildResult(
  parts: KernelParts,
  {
    plan,
    outcome,
    record,
  }: {
    readonly plan: Pick<CallPlan, "tool" | "decision" | "replyLimit">
    readonly outcome: Outcome
    readonly record: SessionRecord | undefined
  },
): ToolResult {
  const attached: Attached = {
    ...(record === undefined ? {} : { session_record: record }),
    ...permissionSidecar(plan),
  }
  const { definition } = plan.tool
  const raw =
    "output" in outcome
      ? succeeded(outcome.output, attached)
      : failed(errorBody(outcome.error), outcome.error.output, attached)
  return filterReply(parts, raw, { limit: plan.replyLimit, reduce: definition.reduce, verbatim: definition.verbatim })
}

/** Step 10 for a refusal: of the sidecars only the permission decision is set by then. */
export function buildRefusal(
  parts: KernelParts,
  body: ToolErrorBody,
  plan: Pick<CallPlan, "decision" | "replyLimit">,
): ToolResult {
  return filterReply(parts, failed(body, undefined, permissionSidecar(plan)), { limit: plan.replyLimit, reduce: [] })
}

function permissionSidecar({ decision }: Pick<CallPlan, "decision">): Pick<Attached, "permission"> {
  if (decision === undefined) return {}
  const { request_id, status, reason, risk } = decision
  return { permission: { request_id, status, reason, risk } }
}

function succeeded(output: object, attached: Attached): ToolResult {
  return isEmpty(attached) ? { success: true, output } : { success: true, output, attached }
}

function failed(error: ToolErrorBody, output: object | undefined, attached: Attached): ToolResult {
  return {
    success: false,
    error,
    ...(output === undefined ? {} : { output }),
    ...(isEmpty(attached) ? {} : { attached }),
  }
}

function isEmpty(attached: Attached): boolean {
  for (const _ in attached) return false
  return true
}
