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

/** Where in an input a schema stands. */
interface Place {
  readonly root: boolean
  /** Members passed from the root, or from the last list on, to get here. */
  readonly depth: number
}

/** The members of a field that is an object (`budget`) are told by the field's own text; their own stand in the exact view. */
const TOLD_DEPTH = 1

/**
 * The model view of an exact input (spec doors.md §1.1): what the exact schema accepts, this one accepts. `const x`
 * becomes `enum [x]`, and only the root says that other members are refused.
 */
export function modelInput(exact: JsonSchema): JsonSchema {
  return modelSchema(exact, { root: true, depth: 0 })
}

function modelSchema(schema: JsonSchema, { root, depth }: Place): JsonSchema {
  const view: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(keyword)) continue
    if (keyword === "additionalProperties" && value === false && !root) continue
    if (isTechnical(keyword, value)) continue
    if (keyword === "description" && depth > TOLD_DEPTH) continue
    if (keyword === "const") view.enum = [value]
    else if (keyword === "properties" && isJsonSchema(value)) view.properties = modelMembers(value, depth + 1)
    else view[keyword] = keyword === "items" && isJsonSchema(value) ? modelSchema(value, LIST_ITEM) : value
  }
  return view
}

const LIST_ITEM: Place = { root: false, depth: 0 }

function modelMembers(properties: JsonSchema, depth: number): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      isJsonSchema(member) ? modelSchema(withoutEcho(name, member), { root: false, depth }) : member,
    ]),
  )
}

/** A text that only says the member's name again (`name`: "Name.") tells a model nothing. */
function withoutEcho(name: string, member: JsonSchema): JsonSchema {
  const { description, ...rest } = member
  return typeof description === "string" && description.toLowerCase() === `${name}.` ? rest : member
}
