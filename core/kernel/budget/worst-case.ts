import type { Reduction } from "../definition.ts"
import { isJsonSchema, type JsonSchema, joinPath, propertiesOf } from "../views/json-schema.ts"
import { leftOutMarker } from "./cut-text.ts"
import { serialisedLength } from "./escaped-length.ts"
import { MAX_CUTS } from "./fit-result.ts"
import { patternLength } from "./pattern-length.ts"

/** Units of serialised JSON that one UTF-16 unit, and one code point, may need. */
const MAX_ESCAPE = 6
/** Longest number in JSON that is no integer. */
const MAX_NUMBER = 25
const LARGEST = 999_999_999
const ENVELOPE = '{"success":true,"output":}'.length

/** What `truncated` and `returned` beside a shortened list, or the list's own such members, add at most. */
function listMarks(path: string): number {
  const name = path.slice(path.lastIndexOf(".") + 1)
  return serialisedLength({ [`${name}_truncated`]: true, [`${name}_returned`]: LARGEST })
}

function reportLength(reduce: readonly Reduction[]): number {
  if (reduce.length === 0) return 0
  const longest = reduce.reduce((at, rule) => (rule.at.length > at.length ? rule.at : at), "")
  const entry = { at: longest, unit: "characters", total: LARGEST, kept: LARGEST }
  const cut = Array.from({ length: Math.min(MAX_CUTS, reduce.length) }, () => entry)
  return serialisedLength({ attached: { budget: { limit_chars: LARGEST, cut } } }) - 1
}

function numberLength(schema: JsonSchema): number {
  const ends = [schema.minimum ?? schema.exclusiveMinimum, schema.maximum ?? schema.exclusiveMaximum]
  const bounds = ends.filter((end) => typeof end === "number")
  if (schema.type !== "integer") return MAX_NUMBER
  if (bounds.length < 2) return String(Number.MIN_SAFE_INTEGER).length
  return Math.max(...bounds.map((bound) => String(bound).length))
}

function textLength(schema: JsonSchema): number {
  const max = typeof schema.maxLength === "number" ? schema.maxLength : Number.POSITIVE_INFINITY
  if (typeof schema.pattern !== "string") return 2 + max * MAX_ESCAPE
  const { chars, plain } = patternLength(schema.pattern)
  return 2 + Math.min(max, chars) * (plain ? 1 : MAX_ESCAPE)
}

/** The schemas of which a value matches one; a list of types stands for a union of them. */
function alternativesOf({ type, ...rest }: JsonSchema): readonly JsonSchema[] | undefined {
  const options = rest.anyOf ?? rest.oneOf
  if (Array.isArray(options)) return options.filter(isJsonSchema)
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...rest, type: one })) : undefined
}

class WorstCase {
  readonly #rules: ReadonlyMap<string, Reduction>

  constructor(reduce: readonly Reduction[]) {
    this.#rules = new Map(reduce.map((rule) => [rule.at, rule]))
  }

  of(schema: JsonSchema, path: string): number {
    if ("const" in schema) return serialisedLength(schema.const)
    if (Array.isArray(schema.enum)) return Math.max(0, ...schema.enum.map(serialisedLength))
    const options = alternativesOf(schema)
    if (options !== undefined) return Math.max(0, ...options.map((one) => this.of(one, path)))
    switch (schema.type) {
      case "object":
        return this.#object(schema, path)
      case "array":
        return this.#list(schema, path)
      case "string":
        return this.#text(schema, path)
      case "integer":
      case "number":
        return numberLength(schema)
      case "boolean":
        return "false".length
      case "null":
        return "null".length
      default:
        return Number.POSITIVE_INFINITY
    }
  }

  #object(schema: JsonSchema, path: string): number {
    const open = schema.additionalProperties
    if (open !== undefined && open !== false) return Number.POSITIVE_INFINITY
    const members = Object.entries(propertiesOf(schema)).map(([name, member]) => {
      const at = joinPath(path, name)
      if (this.#rules.get(at)?.kind === "drop") return 0
      return serialisedLength(name) + 2 + this.of(member, at)
    })
    return 2 + members.reduce((sum, length) => sum + length, 0)
  }

  #list(schema: JsonSchema, path: string): number {
    const rule = this.#rules.get(path)
    const max = typeof schema.maxItems === "number" ? schema.maxItems : Number.POSITIVE_INFINITY
    const count = rule?.kind === "list" ? Math.min(max, rule.min) : max
    const marks = rule?.kind === "list" ? listMarks(path) : 0
    if (count === 0) return 2 + marks
    const item = isJsonSchema(schema.items) ? this.of(schema.items, joinPath(path, "[]")) : Number.POSITIVE_INFINITY
    return 2 + marks + count * (item + 1)
  }

  #text(schema: JsonSchema, path: string): number {
    const rule = this.#rules.get(path)
    const whole = textLength(schema)
    if (rule?.kind !== "text") return whole
    return Math.min(whole, 2 + rule.min * MAX_ESCAPE + serialisedLength(leftOutMarker(LARGEST)))
  }
}

/**
 * The most UTF-16 units that a successful result's serialised JSON can have when every reduction went to its `min`:
 * envelope, output and the budget's own report (kernel.md §1, §13). Infinite if something has no bound.
 */
export function worstCase(outputSchemaJson: JsonSchema, reduce: readonly Reduction[]): number {
  return ENVELOPE + reportLength(reduce) + new WorstCase(reduce).of(outputSchemaJson, "")
}

/** What `worstCase` may be at most: 16,000 less the sidecars' quarter (kernel.md §1). */
export const MAX_WORST_CASE = 12_000
