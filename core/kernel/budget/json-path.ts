import type { JsonPath } from "../definition.ts"

/** A plain JSON object. */
export type JsonObject = Record<string, unknown>

/** Where a value stands: the object that holds it, and its member's name. */
export interface Place {
  readonly parent: JsonObject
  readonly key: string
}

/** Whether a value is an object and no list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The steps of a path: member names, and `[]` for each element of a list. */
export function stepsOf(path: JsonPath): string[] {
  return path.split(".").flatMap((part) => {
    const name = part.replaceAll("[]", "")
    const lists = (part.length - name.length) / 2
    return [...(name === "" ? [] : [name]), ...Array.from({ length: lists }, () => "[]")]
  })
}

/** Every place in `root` that `path` names and that holds something, in order. The path ends in a member's name. */
export function placesAt(root: unknown, path: JsonPath): Place[] {
  const steps = stepsOf(path)
  const key = steps.pop()
  if (key === undefined) return []
  return valuesAt(root, steps).flatMap((parent) =>
    isJsonObject(parent) && parent[key] !== undefined ? [{ parent, key }] : [],
  )
}

function valuesAt(root: unknown, steps: readonly string[]): unknown[] {
  return steps.reduce<unknown[]>(
    (values, step) =>
      values.flatMap((value) => {
        if (step === "[]") return Array.isArray(value) ? value : []
        return isJsonObject(value) ? [value[step]] : []
      }),
    [root],
  )
}
