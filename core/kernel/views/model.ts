import { isJsonSchema, type JsonSchema } from "./json-schema.ts"

/** Keywords that a model has no use for; leaving them out only widens the schema (spec doors.md §1.1). */
const LEFT_OUT = new Set([
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "title",
])

/** Limits that only keep a number sane: no model comes near them, and each costs bytes in every tool list. */
const isTechnical = (keyword: string, value: unknown): boolean =>
  (keyword === "maximum" && typeof value === "number" && value >= 1_000_000) || (keyword === "minimum" && value === 0)

/**
 * The model view of an exact input (spec doors.md §1.1): what the exact schema accepts, this one accepts. `const x`
 * becomes `enum [x]`, and only the root says that other members are refused.
 */
export function modelInput(exact: JsonSchema): JsonSchema {
  return modelSchema(exact, true)
}

function modelSchema(schema: JsonSchema, root: boolean): JsonSchema {
  const view: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(keyword)) continue
    if (keyword === "additionalProperties" && value === false && !root) continue
    if (isTechnical(keyword, value)) continue
    if (keyword === "const") view.enum = [value]
    else if (keyword === "properties" && isJsonSchema(value)) view.properties = modelMembers(value)
    else view[keyword] = keyword === "items" && isJsonSchema(value) ? modelSchema(value, false) : value
  }
  return view
}

function modelMembers(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      isJsonSchema(member) ? modelSchema(member, false) : member,
    ]),
  )
}
