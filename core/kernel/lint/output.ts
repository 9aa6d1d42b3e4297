import { MAX_WORST_CASE, worstCase } from "../budget/worst-case.ts"
import type { AnyToolDefinition } from "../definition.ts"
import {
  childSchemas,
  isJsonSchema,
  type JsonSchema,
  joinPath,
  propertiesOf,
  requiredOf,
} from "../views/json-schema.ts"
import { WRAPPER_NAMES } from "../wrapper.ts"
import type { Finding } from "./finding.ts"
import { isBoundedString } from "./input.ts"
import { walkZod } from "./zod-walk.ts"

const RESERVED = new Set([...WRAPPER_NAMES, "success", "error", "attached", "openaiFileResponse"])
const REFUSED_TYPES = new Set([
  "transform",
  "pipe",
  "date",
  "bigint",
  "map",
  "set",
  "undefined",
  "record",
  "custom",
  "tuple",
  "any",
  "unknown",
  "lazy",
  "intersection",
])

/** R5, R6, R8: what an output may be made of (spec doors.md §1.5). `view` is its exact view. */
export function lintOutput(definition: AnyToolDefinition, view: JsonSchema): readonly Finding[] {
  const report = (rule: string, field: string, message: string): Finding => ({
    tool: definition.name,
    field: field === "" ? "output" : `output.${field}`,
    rule,
    message,
  })
  const names = Object.keys(propertiesOf(view))
  const findings = names.filter((name) => RESERVED.has(name)).map((name) => report("R6", name, "is a reserved name"))
  if (names.length === 0) findings.push(report("R8", "", "has no field"))
  const covered = definition.reduce.map((step) => step.at)
  const bounds = lintBounds(view, { path: "", covered, report })
  const size = bounds.length > 0 ? [] : lintWorstCase(definition, view)
  return [...findings, ...lintTypes(definition, report), ...bounds, ...size]
}

/** K1: fully reduced, every success fits a reply of 16,000 characters with its sidecars (spec kernel.md §1, §13). */
function lintWorstCase({ name: tool, reduce }: AnyToolDefinition, view: JsonSchema): readonly Finding[] {
  const chars = worstCase(view, reduce)
  if (chars <= MAX_WORST_CASE) return []
  const message = `its fully reduced worst case has ${chars} characters of ${MAX_WORST_CASE}`
  return [{ tool, field: "reduce", rule: "K1", message }]
}

type Report = (rule: string, field: string, message: string) => Finding

function lintTypes(definition: AnyToolDefinition, report: Report): readonly Finding[] {
  const findings: Finding[] = []
  for (const { path, schema } of walkZod(definition.output)) {
    const field = path.replace(/^\./, "")
    const { def } = schema._zod
    if (REFUSED_TYPES.has(def.type)) findings.push(report("R5", field, `${def.type} is not allowed in an output`))
    if (def.type !== "object" || def.catchall === undefined) continue
    const isOpen = Object.keys(def.shape).length === 0 && def.catchall._zod.def.type !== "never"
    if (!isOpen || field === "") findings.push(report("R8", field, "must be a plain object, so that parsing strips"))
  }
  return findings
}

interface At {
  readonly path: string
  readonly covered: readonly string[]
  readonly report: Report
}

function lintBounds(schema: JsonSchema, at: At): readonly Finding[] {
  const { path, covered, report } = at
  if (covered.includes(path)) return []
  const findings: Finding[] = []
  if (schema.type === "array" && schema.maxItems === undefined)
    findings.push(report("R8", path, "array without maxItems that no reduce entry covers"))
  if (schema.type === "string" && !isShort(schema))
    findings.push(report("R8", path, "text without maxLength that no reduce entry covers"))
  findings.push(...lintUnion(schema, path, report))
  for (const [name, child] of childSchemas(schema))
    findings.push(...lintBounds(child, { path: joinPath(path, name), covered, report }))
  return findings
}

function isShort(schema: JsonSchema): boolean {
  return Array.isArray(schema.enum) || "const" in schema || isBoundedString(schema)
}

function lintUnion(schema: JsonSchema, path: string, report: Report): readonly Finding[] {
  const options = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(options)) return []
  const members = options.filter(isJsonSchema).filter((option) => option.type !== "null")
  if (members.length < 2 || hasDiscriminator(members)) return []
  return [report("R8", path, "members of the union are not told apart by a literal field")]
}

function hasDiscriminator(members: readonly JsonSchema[]): boolean {
  const [first] = members
  if (first === undefined) return false
  return requiredOf(first).some((name) => {
    const literals = members.map((member) => literalsOf(propertiesOf(member)[name]))
    if (literals.some((values) => values.length === 0)) return false
    const all = literals.flat()
    return new Set(all).size === all.length
  })
}

function literalsOf(schema: JsonSchema | undefined): readonly unknown[] {
  if (schema === undefined) return []
  if ("const" in schema) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : []
}
