import type { JsonSchema } from "./json-schema.ts"

/**
 * The output schema of every tool in the model view (spec doors.md §1.1). Official clients check a reply against the
 * advertised schema, the older one also when `isError`, so it admits success and failure alike.
 */
export const ENVELOPE: JsonSchema = envelopeOf({ type: "object" })

/** The envelope for documents, whose host wants `properties` in every object (spec doors.md §3.3 G6). */
export const DOCUMENT_ENVELOPE: JsonSchema = envelopeOf({ type: "object", properties: {} })

function envelopeOf(open: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { success: { type: "boolean" }, output: open, error: open, attached: open },
    required: ["success"],
  }
}
