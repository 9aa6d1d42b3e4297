import { z } from "zod"
import { type ConfigKey, configSchema } from "./keys.ts"

const shapeSchema = z.object({
  default: z.unknown().optional(),
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  items: z.object({ enum: z.array(z.string()).optional() }).optional(),
})

/**
 * Which values a key takes and which it has when none is given, as its schema says, in brackets: `(json or pretty)`,
 * `(0 to 65535; default 4747)`. Empty where the schema knows neither.
 */
export function valueText(key: ConfigKey): string {
  const shape = shapeSchema.parse(z.toJSONSchema(configSchema.shape[key], { io: "output", unrepresentable: "any" }))
  const known = [allowedText(shape), defaultText(shape.default)].filter((text) => text !== "")
  return known.length === 0 ? "" : `(${known.join("; ")})`
}

function allowedText({ enum: words, items, minimum, maximum, default: usual }: z.output<typeof shapeSchema>): string {
  if (words !== undefined) return eitherOf(words)
  if (items?.enum !== undefined) return `any of ${items.enum.join(", ")}`
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return typeof usual === "boolean" ? "true or false" : ""
}

function eitherOf(words: readonly string[]): string {
  const [last = "", ...others] = words.toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`
}

function defaultText(usual: unknown): string {
  if (usual === undefined) return ""
  if (Array.isArray(usual)) return usual.length === 0 ? "" : `default ${usual.join(", ")}`
  return `default ${String(usual)}`
}
