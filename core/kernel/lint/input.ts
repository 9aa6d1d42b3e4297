import type { z } from "zod"
import type { AnyToolDefinition } from "../definition.ts"
import { childSchemas, isJsonSchema, type JsonSchema, joinPath, propertiesOf } from "../views/json-schema.ts"
import { WRAPPER_NAMES } from "../wrapper.ts"
import type { Finding } from "./finding.ts"
import { textFault } from "./text.ts"
import { walkZod } from "./zod-walk.ts"

const FORBIDDEN_KEYWORDS = [
  "$ref",
  "$defs",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "patternProperties",
  "propertyNames",
  "prefixItems",
]
const PLAIN_TYPES = new Set([
  "string",
  "number",
  "int",
  "boolean",
  "enum",
  "literal",
  "array",
  "object",
  "optional",
  "default",
  "readonly",
  "nonoptional",
])
const OPEN_CATCHALLS = new Set(["unknown", "any"])
const RESERVED = new Set([
  ...WRAPPER_NAMES,
  "success",
  "error",
  "attached",
  "tool",
  "arguments_json",
  "openaiFileIdRefs",
])
const MAX_DEPTH = 5
const MAX_ROOT_FIELDS = 24
const MAX_ENUM = 32

/** R3, R4, R5, R6: what an input may be made of (spec doors.md §1.5). `view` is its exact view. */
export function lintInput(definition: AnyToolDefinition, view: JsonSchema): readonly Finding[] {
  const report = (rule: string, field: string, message: string): Finding => ({
    tool: definition.name,
    field: field === "" ? "input" : `input.${field}`,
    rule,
    message,
  })
  const names = Object.keys(propertiesOf(view))
  const findings = names.filter((name) => RESERVED.has(name)).map((name) => report("R6", name, "is a reserved name"))
  if (names.length > MAX_ROOT_FIELDS) findings.push(report("R3", "", `has more than ${MAX_ROOT_FIELDS} fields`))
  return [...findings, ...lintTypes(definition, report), ...lintSchema(view, { path: "", depth: 1, report })]
}

type Report = (rule: string, field: string, message: string) => Finding

function lintTypes(definition: AnyToolDefinition, report: Report): readonly Finding[] {
  const openAllowed = !definition.surfaces.includes("coding")
  const findings: Finding[] = []
  for (const { path, schema } of walkZod(definition.input)) {
    const field = path.replace(/^\./, "")
    const { def } = schema._zod
    if (def.type === "union" || def.type === "nullable" || def.type === "intersection") continue
    if (!PLAIN_TYPES.has(def.type)) findings.push(report("R5", field, `${def.type} is not allowed in an input`))
    if ("coerce" in def && def.coerce === true) findings.push(report("R5", field, "coercion is not allowed"))
    if (def.type === "object") findings.push(...lintObject(def, { field, openAllowed, report }))
    if (def.type === "default" && !isValidDefault(def)) findings.push(report("R4", field, "its default is not valid"))
  }
  return findings
}

function lintObject(
  def: z.core.$ZodObjectDef,
  { field, openAllowed, report }: { readonly field: string; readonly openAllowed: boolean; readonly report: Report },
): readonly Finding[] {
  const catchall = def.catchall?._zod.def.type
  if (catchall === "never") return []
  const open = catchall !== undefined && OPEN_CATCHALLS.has(catchall) && Object.keys(def.shape).length === 0
  if (open && openAllowed && field !== "") return []
  const message = open && field !== "" ? "an open object is not allowed on coding" : "must be a strict object"
  return [report("R5", field, message)]
}

function isValidDefault(def: z.core.$ZodDefaultDef): boolean {
  const outcome = def.innerType._zod.run({ value: def.defaultValue, issues: [] }, { async: false })
  return !(outcome instanceof Promise) && outcome.issues.length === 0
}

interface At {
  readonly path: string
  readonly depth: number
  readonly report: Report
}

function lintSchema(schema: JsonSchema, at: At): readonly Finding[] {
  const { path, depth, report } = at
  const nested = schema.type === "object" || schema.type === "array"
  if (nested && depth > MAX_DEPTH) return [report("R3", path, `is nested deeper than ${MAX_DEPTH}`)]
  const findings: Finding[] = []
  for (const keyword of FORBIDDEN_KEYWORDS)
    if (keyword in schema) findings.push(report("R3", path, `${keyword} is not allowed`))
  if (Array.isArray(schema.type) || schema.type === "null") findings.push(report("R3", path, "null is not allowed"))
  if (schema.type === "object" && !isJsonSchema(schema.properties)) findings.push(report("R3", path, "no properties"))
  if (schema.type === "array" && !isJsonSchema(schema.items)) findings.push(report("R3", path, "no items"))
  findings.push(...lintBounds(schema, path, report))
  for (const [name, member] of Object.entries(propertiesOf(schema)))
    findings.push(...lintDescription(member, joinPath(path, name), report))
  for (const [name, child] of childSchemas(schema))
    findings.push(...lintSchema(child, { path: joinPath(path, name), depth: nested ? depth + 1 : depth, report }))
  return findings
}

function lintDescription(schema: JsonSchema, path: string, report: Report): readonly Finding[] {
  const { description } = schema
  if (typeof description !== "string") return [report("R4", path, "has no description")]
  const fault = textFault(description, 1, 200)
  return fault === undefined ? [] : [report("R4", path, `description ${fault}`)]
}

function lintBounds(schema: JsonSchema, path: string, report: Report): readonly Finding[] {
  if (Array.isArray(schema.enum))
    return schema.enum.length > MAX_ENUM ? [report("R4", path, `has more than ${MAX_ENUM} values`)] : []
  if ("const" in schema) return []
  if (schema.type === "string" && !isBoundedString(schema)) return [report("R4", path, "text without maxLength")]
  if (schema.type === "array" && schema.maxItems === undefined) return [report("R4", path, "array without maxItems")]
  const numeric = schema.type === "integer" || schema.type === "number"
  return numeric && !isBoundedNumber(schema) ? [report("R4", path, "number without minimum and maximum")] : []
}

/** A string is bounded by its length, or by an anchored pattern that repeats nothing without end. */
export function isBoundedString(schema: JsonSchema): boolean {
  if (schema.maxLength !== undefined) return true
  const { pattern } = schema
  return (
    typeof pattern === "string" &&
    /^\^.*\$$/.test(pattern) &&
    !/[*+]|\{\d+,\}/.test(pattern.replace(/\[[^\]]*\]|\\./g, "x"))
  )
}

function isBoundedNumber(schema: JsonSchema): boolean {
  const low = schema.minimum ?? schema.exclusiveMinimum
  const high = schema.maximum ?? schema.exclusiveMaximum
  return low !== undefined && high !== undefined
}
