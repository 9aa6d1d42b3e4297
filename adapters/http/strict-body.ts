import { ToolError } from "../../core/kernel/error.ts"
import { positionAt } from "../../core/kernel/json-position.ts"
import { type JsonFault, type JsonObject, readStrictJson } from "../../core/kernel/strict-json.ts"

/**
 * Step 11 of the gate (spec doors.md §2.2): bytes to one JSON object, by a fatal UTF-8 decoder and the strict reader. A
 * byte order mark is not JSON. Throws `invalid_json`.
 */
export function readJsonBody(bytes: Uint8Array): JsonObject {
  const reading = readStrictJson(decode(bytes))
  if (reading.ok) return reading.value
  throw invalidJson(reading.fault)
}

const SENTENCES = {
  encoding: "The message is not valid Unicode. Encode it as UTF-8, and escape surrogates only in pairs.",
  syntax: "The message is not valid JSON. Correct it",
  root: "The message is JSON but not an object. Send one JSON object.",
  depth: "The message nests deeper than 32 objects and arrays. Flatten it.",
  duplicate_key: "An object of the message has the same member twice. Leave one of them out.",
} as const satisfies Record<JsonFault["reason"], string>

function invalidJson(fault: JsonFault): ToolError {
  const sentence = fault.reason === "syntax" ? `${SENTENCES.syntax}${placeOf(fault)}.` : SENTENCES[fault.reason]
  return new ToolError("invalid_json", sentence, { details: { ...fault } })
}

/** The sentence itself says where: a JSON-RPC error carries no details. */
function placeOf({ line, column }: JsonFault): string {
  return line === undefined || column === undefined ? "" : ` at line ${line}, column ${column}`
}

/** Built once: building one costs as much as decoding a small body, and without streaming it keeps nothing. */
const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string {
  try {
    return STRICT_UTF8.decode(bytes)
  } catch {
    // The fatal decoder throws for nothing else, and says not where.
    throw invalidJson({ reason: "encoding", ...badBytePosition(bytes) })
  }
}

/** Where the first invalid sequence stands: the first byte that a replacing decoder does not give back. */
function badBytePosition(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  const back = new TextEncoder().encode(decoder.decode(bytes))
  const at = bytes.findIndex((byte, index) => byte !== back[index])
  const before = decoder.decode(bytes.subarray(0, at === -1 ? bytes.length : at))
  return positionAt(before, before.length)
}
