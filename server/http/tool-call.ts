import type { Request } from "express"
import { callKey } from "../../adapters/http/idempotency-key.ts"
import { readPreferences } from "../../adapters/http/preferences.ts"
import { retryAfterSecs } from "../../adapters/http/reply.ts"
import type { CallAnswer } from "../../core/kernel/kernel.ts"
import type { ToolResult } from "../../core/kernel/result.ts"
import { splitWrapper } from "../../core/kernel/wrapper.ts"
import { callerOf } from "./authentication.ts"
import type { RequestContext } from "./context.ts"

/** A reply that a controller sends: the ToolResult with its status. */
export interface ToolReplyParts {
  readonly status: number
  readonly result: ToolResult
}

/**
 * One `kernel.call` of the request's body as a tool's input (spec doors.md §2.1). Sets the headers of §2.3–§2.5. `keyed`:
 * whether this route takes an `Idempotency-Key`. Throws `idempotency_key_invalid`.
 */
export async function callTool(
  context: RequestContext,
  request: Request,
  call: { readonly tool: string; readonly keyed: boolean },
): Promise<ToolReplyParts> {
  const { rawHeaders } = request
  const key = call.keyed ? callKey(rawHeaders) : undefined
  const preferences = readPreferences(rawHeaders)
  const answer = await context.deps.kernel.call({
    tool: call.tool,
    ...splitWrapper(context.body, context.deps.wrapperFields),
    caller: callerOf(context),
    door: "http",
    request: {
      id: context.requestId,
      receivedAt: context.receivedAt,
      deadlineMs: preferences.deadlineMs ?? context.deps.config.deadlineMs,
      ...(key === undefined ? {} : { key }),
      ...(preferences.replyLimit === undefined ? {} : { replyLimit: preferences.replyLimit }),
    },
    signal: context.signal,
  })
  request.res?.set(answerHeaders(answer, preferences.applied))
  return { status: answer.httpStatus, result: answer.result }
}

function answerHeaders(answer: CallAnswer, applied: string | undefined): Record<string, string> {
  const { result } = answer
  const seconds = result.success || answer.httpStatus === 200 ? undefined : retryAfterSecs(result.error)
  return {
    ...(applied === undefined ? {} : { "Preference-Applied": applied }),
    ...(answer.replayed ? { "Idempotency-Replayed": "true" } : {}),
    ...(seconds === undefined ? {} : { "Retry-After": String(seconds) }),
  }
}
