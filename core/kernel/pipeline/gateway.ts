import type { ToolError } from "../error.ts"
import { type GatewayName, gatewayInputSchema, isGatewayName, MAX_ARGUMENTS_JSON_BYTES } from "../gateways.ts"
import type { CallRequest } from "../kernel.ts"
import type { Registry } from "../registry.ts"
import { readStrictJson } from "../strict-json.ts"
import { invalidArguments, invalidFields } from "./invalid-arguments.ts"

/** A call with its gateway taken off (spec kernel.md §3): from here on it is the inner call. */
export interface Unwrapped {
  readonly name: string
  readonly args: unknown
  readonly gateway: GatewayName | undefined
}

/**
 * Step 1: unwraps `call_tool` and `call_read_tool` where they exist. @throws `invalid_arguments` for malformed own fields
 * and for a fault inside `arguments_json` (field `arguments_json`).
 */
export function unwrapGateway(request: CallRequest, registry: Registry, schemaHash: string): Unwrapped {
  const { tool, input } = request
  if (!isGatewayName(tool) || !registry.hasGateways(request.surface))
    return { name: tool, args: input, gateway: undefined }
  const own = gatewayInputSchema.safeParse(input)
  if (!own.success)
    throw invalidArguments({ tool, raw: input, issues: own.error.issues, known: OWN_FIELDS, schemaHash })
  return { name: own.data.tool, args: readArguments(own.data.arguments_json, tool, schemaHash), gateway: tool }
}

const OWN_FIELDS = ["tool", "arguments_json"]

function readArguments(text: string, tool: string, schemaHash: string): unknown {
  const fault = (code: "too_big" | "format"): ToolError =>
    invalidFields({ tool, fields: [{ path: "arguments_json", code }], schemaHash })
  if (Buffer.byteLength(text) > MAX_ARGUMENTS_JSON_BYTES) throw fault("too_big")
  const reading = readStrictJson(text)
  if (!reading.ok) throw fault("format")
  return reading.value
}
