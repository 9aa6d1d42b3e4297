import type { SessionAttention } from "../../messages/attention.ts"
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
    attention,
  }: {
    readonly plan: Pick<CallPlan, "tool" | "decision" | "replyLimit">
    readonly outcome: Outcome
    readonly record: SessionRecord | undefined
    readonly attention?: SessionAttention | undefined
  },
): ToolResult {
  const attached = sidecarsOf(plan, { record, attention })
  const { definition } = plan.tool
  const raw =
    "output" in outcome
      ? succeeded(outcome.output, attached)
      : failed(errorBody(outcome.error), outcome.error.output, attached)
  return filterReply(parts, raw, { limit: plan.replyLimit, reduce: definition.reduce, verbatim: definition.verbatim })
}

/** The sidecars of a call that were made for it, in their order. */
export function sidecarsOf(
  plan: Pick<CallPlan, "decision">,
  made: { readonly record: SessionRecord | undefined; readonly attention?: SessionAttention | undefined },
): Attached {
  return {
    ...(made.record === undefined ? {} : { session_record: made.record }),
    ...(made.attention === undefined ? {} : { session_attention: made.attention }),
    ...permissionSidecar(plan),
  }
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
