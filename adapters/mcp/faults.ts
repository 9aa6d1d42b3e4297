import type { ToolError } from "../../core/kernel/error.ts"
import { httpStatusOf } from "../../core/kernel/error-kinds.ts"
import { isJsonObject, type JsonObject } from "../../core/kernel/strict-json.ts"

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INVALID_PARAMS = -32_602

/** A JSON-RPC error as it is sent for a message that never reaches the SDK; `id` is null where none could be read. */
export interface WireFault {
  readonly jsonrpc: "2.0"
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string; readonly data: Readonly<Record<string, unknown>> }
}

/** A body or line that the rules of doors.md §2.2 refuse, as JSON-RPC (spec doors.md §4.1): no batches, no second parser. */
export function renderBodyFault(error: ToolError): { readonly status: number; readonly body: WireFault } {
  const reason = error.details !== undefined && "reason" in error.details ? error.details.reason : undefined
  const code = error.kind !== "invalid_json" || reason === "root" ? INVALID_REQUEST : PARSE_ERROR
  return {
    status: httpStatusOf(error.kind),
    body: { jsonrpc: "2.0", id: null, error: { code, message: error.message, data: { kind: error.kind } } },
  }
}

/** A well-read object that is no JSON-RPC message. */
export function notAMessage(): WireFault {
  const message = "The line is no JSON-RPC 2.0 request, notification or response. Send one of these."
  return { jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message, data: { kind: "invalid_message" } } }
}

/**
 * A call with an argument named `__proto__`, which the SDK would silently leave out before the kernel could refuse it as
 * unknown; `undefined` for every other message.
 */
export function lostArgument({ id, params }: JsonObject): WireFault | undefined {
  if (!isJsonObject(params) || !isJsonObject(params.arguments) || !Object.hasOwn(params.arguments, "__proto__")) return
  return {
    jsonrpc: "2.0",
    id: typeof id === "string" || typeof id === "number" ? id : null,
    error: {
      code: INVALID_PARAMS,
      message: "No tool has an argument __proto__. Leave it out.",
      data: { kind: "invalid_arguments", unknown_fields: ["__proto__"] },
    },
  }
}
