import { isObject, type JsonObject, type JsonValue, objectAt, toJson } from "./json.ts"

/** Turns tsoa's OpenAPI 3.0 part into 3.1 (spec doors.md §3.1 step 2). */
export function upgradeTo31(document: JsonObject): JsonObject {
  const upgraded = upgradeValue(document)
  if (!isObject(upgraded)) return {}
  const components = Object.fromEntries(
    Object.entries(objectAt(upgraded, "components")).filter(([, map]) => isObject(map) && Object.keys(map).length > 0),
  )
  return { ...upgraded, openapi: "3.1.0", components }
}

function upgradeValue(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => upgradeValue(item) ?? null)
  if (!isObject(value)) return value
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, upgradeValue(member)]))
  return upgradeSchema(members)
}

function upgradeSchema(schema: JsonObject): JsonObject {
  const { nullable, ...rest } = withNumericBounds(schema)
  // A member that happens to be called `nullable` is no keyword.
  if (typeof nullable !== "boolean") return nullable === undefined ? rest : { ...rest, nullable }
  if (!nullable) return rest
  const { type, enum: values } = rest
  if (typeof type !== "string") return { anyOf: [rest, { type: "null" }] }
  return { ...rest, type: [type, "null"], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
}

/** Boolean `exclusiveMinimum`/`exclusiveMaximum` beside a bound become numeric ones. */
function withNumericBounds(schema: JsonObject): JsonObject {
  const bound = (current: JsonObject, inclusive: string, exclusive: string): JsonObject => {
    if (typeof current[exclusive] !== "boolean") return current
    const { [inclusive]: limit, [exclusive]: isExclusive, ...rest } = current
    return { ...rest, [isExclusive === true ? exclusive : inclusive]: toJson(limit) }
  }
  return bound(bound(schema, "minimum", "exclusiveMinimum"), "maximum", "exclusiveMaximum")
}
