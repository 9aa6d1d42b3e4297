/** A JSON value as documents are made of. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object; `undefined` members are dropped when it is written. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The member of an object that is itself an object; empty for anything else. */
export function objectAt(parent: JsonObject | undefined, member: string): JsonObject {
  const value = parent?.[member]
  return isObject(value) ? value : {}
}

/** Members in the order of their names. */
export function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** A deep copy of plain JSON data as a JsonValue; `undefined` members vanish. */
export function toJson(value: unknown): JsonValue {
  const parsed: JsonValue = JSON.parse(JSON.stringify(value))
  return parsed
}

/** Committed form of a document: 2 spaces and a final newline, so that the same input gives the same bytes. */
export function serialise(document: JsonObject): string {
  return `${JSON.stringify(document, null, 2)}\n`
}
