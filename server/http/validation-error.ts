import type { z } from "zod"
import { ToolError } from "../../core/kernel/error.ts"
import { type FieldFault, faultsOf } from "../../core/kernel/pipeline/issues.ts"

/** What tsoa reports of one field. `value` echoes the input and must go nowhere. */
export interface RefusedFields {
  readonly [path: string]: { readonly message?: string; readonly value?: unknown }
}

const CODES: readonly FieldFault["code"][] = ["type", "too_small", "too_big", "pattern", "enum"]
const MAX_FIELDS = 16

/**
 * The faults of a body that tsoa refused (spec doors.md §7.2). Every validator of the controllers carries its code as its
 * message. Two faults take none: a member that the body does not have, whose value tsoa gives as the member's own name,
 * and a list that is none.
 */
export function refusedFaults(refused: RefusedFields): readonly FieldFault[] {
  return Object.entries(refused).flatMap(([path, fault]) => {
    // tsoa writes `body.scopes.$0` for the first element of `scopes`, and `body` alone where no member is known.
    const name = path.replace(/^_?body\.?/, "").replace(/\.\$(\d+)/g, "[$1]")
    if (name === "")
      return Object.keys(Object(fault.value)).map((member) => ({ path: member, code: "unknown" as const }))
    if (fault.value === undefined) return [{ path: name, code: "required" }]
    if (fault.value === null) return [{ path: name, code: "null" }]
    const unnamed = fault.value === name ? "unknown" : "type"
    return [{ path: name, code: CODES.find((code) => code === fault.message) ?? unnamed }]
  })
}

/** A body of an operator route by the rules of its domain, which are the last word. Throws `invalid_arguments`. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: object,
  schemaHash: string,
): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw invalidBody(faultsOf(parsed.error.issues, body), schemaHash)
}

/** Faults of a body as `invalid_arguments`, with paths and codes alone. */
export function invalidBody(faults: readonly FieldFault[], schemaHash: string): ToolError<"invalid_arguments"> {
  const pathsOf = (code: FieldFault["code"]) => faults.filter((fault) => fault.code === code).map((fault) => fault.path)
  const [unknown, missing] = [pathsOf("unknown"), pathsOf("required")]
  const named = faults.slice(0, 3).map(({ path, code }) => `${path} (${code})`)
  return new ToolError(
    "invalid_arguments",
    `The body does not fit: ${named.join(", ")}. Compare it with /openapi.json.`,
    {
      details: {
        field: faults[0]?.path ?? "",
        fields: faults.slice(0, MAX_FIELDS),
        ...(unknown.length > 0 ? { unknown_fields: unknown.slice(0, MAX_FIELDS) } : {}),
        ...(missing.length > 0 ? { missing_fields: missing.slice(0, MAX_FIELDS) } : {}),
        schema_hash: schemaHash,
      },
    },
  )
}
