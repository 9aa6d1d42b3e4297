import type { ToolError } from "../error.ts"
import { type GatewayName, gatewayInputSchema, isGatewayName, MAX_ARGUMENTS_JSON_BYTES } from "../gateways.ts"
import type { CallRequest } from "../kernel.ts"
import type { Registry } from "../registry.ts"
import { type JsonFault, readStrictJson } from "../strict-json.ts"
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
  const fault = (code: "too_big" | "format", what: string): ToolError => {
    const sentence = `The field arguments_json of ${tool} ${what}. Send the JSON text of one object, as tool_manifest describes it.`
    return invalidFields({ tool, fields: [{ path: "arguments_json", code }], schemaHash, sentence })
  }
  if (Buffer.byteLength(text) > MAX_ARGUMENTS_JSON_BYTES)
    throw fault("too_big", `is over ${MAX_ARGUMENTS_JSON_BYTES} bytes`)
  const reading = readStrictJson(text)
  if (reading.ok) return reading.value
  const { reason, line, column } = reading.fault
  const place = line === undefined || column === undefined ? "" : ` (line ${line}, column ${column})`
  throw fault("format", `${FAULTS[reason]}${place}`)
}

const FAULTS: Readonly<Record<JsonFault["reason"], string>> = {
  syntax: "is not valid JSON",
  root: "is JSON but not an object",
  depth: "nests deeper than 32 objects and arrays",
  encoding: "holds half a surrogate pair",
  duplicate_key: "has an object with the same member twice",
}
