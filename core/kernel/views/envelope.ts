import type { JsonSchema } from "./json-schema.ts"

/**
 * The output schema of every tool in the model view (spec doors.md §1.1). Official clients check a reply against the
 * advertised schema, the older one also when `isError`, so it admits success and failure alike.
 */
export const ENVELOPE: JsonSchema = {
  type: "object",
  properties: {
    success: { type: "boolean" },
    output: { type: "object", properties: {} },
    error: { type: "object", properties: {} },
    attached: { type: "object", properties: {} },
  },
  required: ["success"],
}
