import type { AnyToolDefinition } from "../definition.ts"
import { isJsonSchema, type JsonSchema, propertiesOf } from "../views/json-schema.ts"
import type { Finding } from "./finding.ts"

/**
 * R10: `record` reads existing fields. Its functions are asked about a value that has every declared member and reports any
 * other member that is read; what they answer, or that they fail on made-up values, does not matter.
 */
export function lintRecord(
  definition: AnyToolDefinition,
  views: { readonly input: JsonSchema; readonly output: JsonSchema },
): readonly Finding[] {
  const missing = new Set<string>()
  const input = sampleOf(views.input, "input", missing)
  const output = sampleOf(views.output, "output", missing)
  const { record } = definition
  attempt(() => record.input?.(asObject(input)))
  attempt(() => record.output?.(asObject(output)))
  attempt(() => record.changedPaths?.(asObject(output)))
  attempt(() => record.observedPaths?.(asObject(input), asObject(output)))
  attempt(() => record.evidence?.({ output: asObject(output) }))
  attempt(() => record.jobId?.(asObject(output)))
  attempt(() => record.expectation?.(asObject(input), { output: asObject(output) }))
  attempt(() => record.exit?.(asObject(output)))
  return [...missing].map((field) => ({
    tool: definition.name,
    field: "record",
    rule: "R10",
    message: `reads ${field}, which does not exist`,
  }))
}

function attempt(ask: () => unknown): void {
  try {
    ask()
  } catch {
    // Sample values need not satisfy a projection; only which members it reads is of interest.
    return
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return isJsonSchema(value) ? value : {}
}

function sampleOf(schema: JsonSchema, path: string, missing: Set<string>): unknown {
  if ("const" in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (schema.type) {
    case "object":
      return sampleObject(schema, path, missing)
    case "array":
      return isJsonSchema(schema.items) ? [sampleOf(schema.items, `${path}[]`, missing)] : []
    case "string":
      return "x"
    case "integer":
    case "number":
      return 1
    case "boolean":
      return true
    default:
      return undefined
  }
}

function sampleObject(schema: JsonSchema, path: string, missing: Set<string>): object {
  const members = propertiesOf(schema)
  const known = new Map(
    Object.entries(members).map(([name, member]) => [name, sampleOf(member, `${path}.${name}`, missing)]),
  )
  if (schema.additionalProperties === true) return Object.fromEntries(known)
  return new Proxy(Object.fromEntries(known), {
    get(target, member, receiver) {
      if (typeof member === "string" && !known.has(member) && !(member in Object.prototype) && member !== "toJSON")
        missing.add(`${path}.${member}`)
      return Reflect.get(target, member, receiver)
    },
  })
}
