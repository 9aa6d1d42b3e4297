import fc from "fast-check"
import { isObject, type JsonObject, type JsonValue, objectAt } from "../../openapi/json.ts"

/**
 * What a field is given instead of what its schema would allow, by its name: real targets, harmless effects, and what rules
 * beyond JSON Schema accept; `undefined` leaves it out.
 */
export type Given = Readonly<Record<string, fc.Arbitrary<JsonValue> | undefined>>

const LONGEST_TEXT = 24
const MOST_ITEMS = 3

/** Values that an exact input schema accepts (spec doors.md §1.5 R3: no unions, no maps). */
export function valuesOf(schema: JsonObject, given: Given = {}): fc.Arbitrary<JsonValue> {
  const { type, enum: values, const: only } = schema
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (type === "object") return objectsOf(schema, given)
  if (type === "array") {
    const [min, max] = [numberAt(schema, "minItems", 0), numberAt(schema, "maxItems", MOST_ITEMS)]
    const items = valuesOf(objectAt(schema, "items"), given)
    return fc.array(items, { minLength: min, maxLength: Math.max(min, Math.min(max, MOST_ITEMS)) })
  }
  if (type === "boolean") return fc.boolean()
  if (type === "integer" || type === "number") {
    const [min, max] = [numberAt(schema, "minimum", -1_000), numberAt(schema, "maximum", 1_000_000)]
    return fc.integer({ min, max })
  }
  return textsOf(schema)
}

function textsOf(schema: JsonObject): fc.Arbitrary<JsonValue> {
  const { pattern } = schema
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern, "u"), { size: "small" })
  const min = numberAt(schema, "minLength", 0)
  const max = Math.min(numberAt(schema, "maxLength", LONGEST_TEXT), Math.max(min, LONGEST_TEXT))
  return fc.string({ unit: "binary", minLength: min, maxLength: max })
}

function objectsOf(schema: JsonObject, given: Given): fc.Arbitrary<JsonValue> {
  const members = Object.entries(objectAt(schema, "properties"))
    .filter(([name]) => !(name in given) || given[name] !== undefined)
    .map(([name, member]) => [name, given[name] ?? valuesOf(isObject(member) ? member : {}, given)] as const)
  const { required } = schema
  const requiredKeys = Array.isArray(required) ? required.filter((name) => typeof name === "string") : []
  return fc.record(Object.fromEntries(members), { requiredKeys })
}

function numberAt(schema: JsonObject, keyword: string, fallback: number): number {
  const value = schema[keyword]
  return typeof value === "number" ? value : fallback
}

/** Accepted values with one change each that usually breaks them; whether it does, a validator of the schema says. */
export function mutantsOf(schema: JsonObject, given: Given = {}): fc.Arbitrary<JsonValue> {
  return fc
    .tuple(valuesOf(schema, given), fc.nat(), fc.constantFrom("drop", "extra", "replace"), STRANGE)
    .map(([value, pick, change, strange]) => {
      if (!isObject(value)) return value
      const names = Object.keys(value)
      const name = names[pick % Math.max(1, names.length)]
      if (change === "extra" || name === undefined) return { ...value, [`zq${pick % 9}`]: strange }
      if (change === "replace") return { ...value, [name]: strange }
      const { [name]: _dropped, ...rest } = value
      return rest
    })
}

/** Of every type, and beyond every bound. */
const STRANGE: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  null,
  true,
  -1,
  1.5,
  2 ** 53,
  "",
  "zq81",
  "\u0000",
  "x".repeat(70_000),
  [],
  [[[]]],
  Array(300).fill("zq81"),
  {},
  { a: { b: {} } },
)
