import type { ToolError } from "../error.ts"
import { recoveryOf } from "../error-kinds.ts"
import type { ToolErrorBody } from "../result.ts"

const MAX_MESSAGE_CHARS = 500
const MAX_DETAILS_BYTES = 16_384
const DEFAULT_RETRY_MS = 1000

/** An error as it crosses the wire, members in their order, absent when empty (spec kernel.md §6). */
export function errorBody(error: ToolError): ToolErrorBody {
  const recovery = error.recovery ?? recoveryOf(error.kind)
  const retryAfterMs = recovery === "retry_later" ? (error.retryAfterMs ?? DEFAULT_RETRY_MS) : undefined
  const details = error.details === undefined ? undefined : fitDetails({ ...error.details })
  return {
    kind: error.kind,
    message: cut(error.message),
    recovery,
    ...(error.executionState === undefined ? {} : { execution_state: error.executionState }),
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    ...(details === undefined || Object.keys(details).length === 0 ? {} : { details }),
  }
}

function cut(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARS) return message
  const points = [...message]
  return points.length <= MAX_MESSAGE_CHARS ? message : `${points.slice(0, MAX_MESSAGE_CHARS - 1).join("")}…`
}

/** `details` within 16,384 bytes: its longest list loses entries from the end and says so. */
function fitDetails(details: Record<string, unknown>): Record<string, unknown> {
  let fitted = details
  while (Buffer.byteLength(JSON.stringify(fitted)) > MAX_DETAILS_BYTES) {
    const longest = longestList(fitted)
    if (longest === undefined) return fitted
    const [name, list] = longest
    fitted = { ...fitted, [name]: list.slice(0, Math.floor(list.length / 2)), [`${name}_truncated`]: true }
  }
  return fitted
}

function longestList(details: Record<string, unknown>): readonly [string, readonly unknown[]] | undefined {
  return Object.entries(details)
    .flatMap(([name, value]) => (Array.isArray(value) && value.length > 0 ? [[name, value] as const] : []))
    .sort(([, one], [, other]) => JSON.stringify(other).length - JSON.stringify(one).length)[0]
}
