import { isObject, type JsonObject, type JsonValue, objectAt } from "./json.ts"

const PREFIX = "#/components/schemas/"

/** The document without schemas that no `$ref` reaches (spec doors.md §3.1 step 4). */
export function dropUnreachableSchemas(document: JsonObject): JsonObject {
  const components = objectAt(document, "components")
  const schemas = objectAt(components, "schemas")
  const { schemas: _schemas, ...others } = components
  const reached = new Set<string>()
  const visit = (value: JsonValue | undefined): void => {
    if (Array.isArray(value)) value.forEach(visit)
    else if (isObject(value)) {
      const { $ref } = value
      if (typeof $ref === "string" && $ref.startsWith(PREFIX)) follow($ref.slice(PREFIX.length))
      Object.values(value).forEach(visit)
    }
  }
  const follow = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    visit(schemas[name])
  }
  visit(objectAt(document, "paths"))
  visit(others)
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => reached.has(name)))
  return { ...document, components: { ...others, schemas: kept } }
}
