/** A JSON Schema (draft 2020-12) as data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** Whether a value found inside a schema is itself a schema object. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The declared members of an object schema, in order; empty for anything else. */
export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties } = schema
  if (!isJsonSchema(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isJsonSchema(entry[1])),
  )
}

/** The required member names of an object schema. */
export function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : []
}

/** The schemas directly inside one, each with the dotted path member that leads to it (`[]` for array elements). */
export function childSchemas(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const children: (readonly [string, JsonSchema])[] = Object.entries(propertiesOf(schema))
  if (isJsonSchema(schema.items)) children.push(["[]", schema.items])
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const members = schema[keyword]
    if (Array.isArray(members)) for (const member of members) if (isJsonSchema(member)) children.push(["", member])
  }
  return children
}

/** Joins a dotted path (`items[].text`). */
export function joinPath(parent: string, member: string): string {
  if (member === "" || member === "[]") return `${parent}${member}`
  return parent === "" ? member : `${parent}.${member}`
}
