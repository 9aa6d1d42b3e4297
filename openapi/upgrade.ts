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
  if (nullable !== true)
    return typeof nullable === "boolean" ? rest : schema === rest ? schema : { ...rest, ...keep("nullable", nullable) }
  if (typeof rest["$ref"] === "string") return { anyOf: [rest, { type: "null" }] }
  return typeof rest["type"] === "string" ? { ...rest, type: [rest["type"], "null"] } : rest
}

function keep(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value }
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
