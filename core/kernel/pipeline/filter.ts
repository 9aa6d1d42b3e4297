import { fitResult } from "../budget/fit-result.ts"
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
  const masked = withSidecars(redactReply(parts, result, rules.verbatim), rules.limit)
  return fitResult(masked, rules).result
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

/** Sidecars take at most a quarter of a reply (spec kernel.md §4); most replies are far from it and are not measured. */
const MAX_SIDECAR_CHARS = 40_000
const SURELY_FITTING_LIMIT = 4000
const FIRST_TO_GO = ["redactions", "session_attention", "permission", "session_record"] as const

/** Whether sidecars have room in a reply of `limit` characters. */
export function haveRoom(attached: Attached, limit: number): boolean {
  return JSON.stringify(attached).length <= Math.min(MAX_SIDECAR_CHARS, limit / 4)
}

function withSidecars(result: ToolResult, limit: number): ToolResult {
  const { attached, ...bare } = result
  if (attached === undefined) return result
  if (limit >= SURELY_FITTING_LIMIT && attached.session_attention === undefined) return result
  let kept = attached
  for (const member of FIRST_TO_GO) {
    if (haveRoom(kept, limit)) break
    const { [member]: _, ...rest } = kept
    kept = rest
  }
  return Object.keys(kept).length === 0 ? bare : { ...bare, attached: kept }
}
