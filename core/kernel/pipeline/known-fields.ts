import type { z } from "zod"
import type { ProjectedTool } from "../projection.ts"
import { isJsonSchema, type JsonSchema, propertiesOf } from "../views/json-schema.ts"
import type { WrapperName } from "../wrapper.ts"
import { pathText } from "./issues.ts"

/** What could have been meant: of the root where one of its fields is unknown, else of the object that the first one is in. */
export function knownFields(
  { fields, exact }: ProjectedTool,
  fault: {
    readonly offered: readonly WrapperName[]
    readonly issues: readonly z.core.$ZodIssue[]
    readonly isRootAtFault: boolean
  },
): readonly string[] {
  const places = fault.issues.filter(({ code }) => code === "unrecognized_keys").map(({ path }) => path)
  const [place = []] = places
  if (fault.isRootAtFault || places.length === 0 || places.some(({ length }) => length === 0))
    return [...fields, ...fault.offered]
  return Object.keys(propertiesOf(schemaAt(exact.input, place))).map((name) => pathText([...place, name]))
}

function schemaAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  return path.reduce<JsonSchema>((schema, step) => {
    const next = typeof step === "number" ? schema.items : propertiesOf(schema)[String(step)]
    return isJsonSchema(next) ? next : {}
  }, root)
}
