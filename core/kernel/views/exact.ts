import { z } from "zod"
import { isJsonSchema, type JsonSchema } from "./json-schema.ts"

/** Both exact views of one tool. */
export interface ExactViews {
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** The exact views of a definition. Throws for a schema that JSON Schema cannot express. */
export function exactViews({ input, output }: { readonly input: z.ZodType; readonly output: z.ZodType }): ExactViews {
  return { input: exactInput(input), output: exactOutput(output) }
}

/**
 * The exact view of an input (spec doors.md §1.1): what the kernel accepts, as draft 2020-12, without `$schema` and
 * without the bounds that every safe integer has.
 */
export function exactInput(schema: z.ZodType): JsonSchema {
  return exact(schema, "input")
}

/**
 * The exact view of an output (spec doors.md §1.1): closed objects do not say so, because a client with a cached list must
 * survive an added field; open objects stay open.
 */
export function exactOutput(schema: z.ZodType): JsonSchema {
  return exact(schema, "output")
}

function exact(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...view } = z.toJSONSchema(schema, { target: "draft-2020-12", io })
  return rewrite(view, io)
}

function rewrite(schema: JsonSchema, io: "input" | "output"): JsonSchema {
  const view: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) continue
    if (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER) continue
    if (keyword === "additionalProperties") {
      if (value === false) {
        if (io === "input") view[keyword] = false
      } else view[keyword] = isOpen(value) ? true : rewriteValue(value, io)
      continue
    }
    if (keyword === "properties" && isJsonSchema(value)) view[keyword] = rewriteMembers(value, io)
    else view[keyword] = DATA_KEYWORDS.has(keyword) ? value : rewriteValue(value, io)
  }
  return view
}

/** Member names may look like keywords (`default`, `required`), so members are visited by name. */
function rewriteMembers(properties: JsonSchema, io: "input" | "output"): JsonSchema {
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, rewriteValue(member, io)]))
}

/** Keywords whose values are data, not schemas. */
const DATA_KEYWORDS = new Set(["default", "const", "enum", "examples", "required"])

function rewriteValue(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((item) => rewriteValue(item, io))
  return isJsonSchema(value) ? rewrite(value, io) : value
}

function isOpen(value: unknown): boolean {
  return value === true || (isJsonSchema(value) && Object.keys(value).length === 0)
}
