import { ToolError } from "../../core/kernel/error.ts"
import type { ErrorDetails } from "../../core/kernel/error-kinds.ts"

type Field = NonNullable<NonNullable<ErrorDetails<"invalid_arguments">>["fields"]>[number]

/** What tsoa reports of one field. `value` echoes the input and must go nowhere. */
export interface RefusedFields {
  readonly [path: string]: { readonly message?: string; readonly value?: unknown }
}

const CODES: readonly Field["code"][] = ["type", "too_small", "too_big", "pattern", "enum"]
const MAX_FIELDS = 16

/**
 * A body that an operator controller refused, as `invalid_arguments` with paths and codes alone (spec doors.md §7.2).
 * Every validator of the controllers carries its code as its message, so the only message that is not one of ours is
 * tsoa's for a member that the body does not have.
 */
export function invalidBody(refused: RefusedFields, schemaHash: string): ToolError {
  const fields = Object.entries(refused).flatMap(([path, fault]) => fieldsOf(path, fault))
  const unknown = fields.filter((field) => field.code === "unknown").map((field) => field.path)
  const missing = fields.filter((field) => field.code === "required").map((field) => field.path)
  const names = fields.slice(0, 3).map((field) => `${field.path} (${field.code})`)
  return new ToolError(
    "invalid_arguments",
    `The body does not fit: ${names.join(", ")}. Compare it with /openapi.json.`,
    {
      details: {
        ...(fields[0] ? { field: fields[0].path } : {}),
        fields: fields.slice(0, MAX_FIELDS),
        ...(unknown.length > 0 ? { unknown_fields: unknown } : {}),
        ...(missing.length > 0 ? { missing_fields: missing } : {}),
        schema_hash: schemaHash,
      },
    },
  )
}

function fieldsOf(path: string, fault: RefusedFields[string]): readonly Field[] {
  // tsoa writes `body.scopes.$0` for the first element of `scopes`, and `body` with the members that a body without any has.
  const name = path.replace(/^_?body\.?/, "").replace(/\.\$(\d+)/g, "[$1]")
  if (name === "") return Object.keys(Object(fault.value)).map((member) => ({ path: member, code: "unknown" }))
  if (fault.value === undefined) return [{ path: name, code: "required" }]
  if (fault.value === null) return [{ path: name, code: "null" }]
  return [{ path: name, code: CODES.find((code) => code === fault.message) ?? "unknown" }]
}
