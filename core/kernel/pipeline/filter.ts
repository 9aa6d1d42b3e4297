import type { JsonPath, Reduction } from "../definition.ts"
import type { Attached, ToolErrorBody, ToolResult } from "../result.ts"
import type { KernelParts } from "./parts.ts"

/** What the last stage knows about a reply: its limit, and how its tool's output may be cut and must not be masked. */
export interface ReplyRules {
  /** UTF-16 units of the serialised reply. */
  readonly limit: number
  readonly reduce: readonly Reduction[]
  readonly verbatim?: readonly JsonPath[] | undefined
}

/** Step 10: masks secrets in output and error, then makes the reply fit; success is never changed (spec kernel.md §12, §13). */
export function filterReply(parts: KernelParts, result: ToolResult, rules: ReplyRules): ToolResult {
  return redactReply(parts, result, rules.verbatim)
}

function redactReply(parts: KernelParts, result: ToolResult, verbatim: readonly JsonPath[] | undefined): ToolResult {
  const redactor = parts.secrets.redactor()
  const options = verbatim === undefined ? {} : { verbatim }
  const output = result.output === undefined ? undefined : redactor.redactValue(result.output, options)
  const error = result.success ? undefined : redactor.redactValue(maskable(result.error))
  const count = (output?.count ?? 0) + (error?.count ?? 0)
  if (count === 0) return result
  const names = [...new Set([...(output?.names ?? []), ...(error?.names ?? [])])].slice(0, MAX_NAMES)
  const attached: Attached = { ...result.attached, redactions: { count, names } }
  if (result.success) return { success: true, output: objectOf(output?.value), attached }
  return {
    success: false,
    error: { ...result.error, ...objectOf(error?.value) },
    ...(output === undefined ? {} : { output: objectOf(output.value) }),
    attached,
  }
}

const MAX_NAMES = 8

/** Kind, recovery and state are words of closed sets; text and details may hold what a caller or a program wrote. */
function maskable({ message, details }: ToolErrorBody): object {
  return details === undefined ? { message } : { message, details }
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {}
}
