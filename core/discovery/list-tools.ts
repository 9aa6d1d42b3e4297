import { z } from "zod"
import { missingScopes, type Scope } from "../access/scopes.ts"
import type { Call } from "../kernel/call.ts"
import type { CatalogueEntry } from "../kernel/catalogue.ts"
import { textSchema } from "../kernel/text-schema.ts"
import { argumentLine, MAX_ARGS_CHARS } from "./arguments.ts"
import {
  categorySchema,
  effectSchema,
  reachSchema,
  scopesSchema,
  surfaceSchema,
  surfacesSchema,
  toolNameSchema,
} from "./fields.ts"
import { reachOf } from "./reach.ts"

/** Input of `list_tools` (spec kernel.md §8). */
export const listToolsInput = z.strictObject({
  query: textSchema(1, 200).optional().describe("Part of name, title or description, in any case."),
  category: categorySchema.optional().describe("Only tools of this category."),
  effect: effectSchema.optional().describe("Only tools of this effect."),
  limit: z.int().min(1).max(200).default(100).describe("Most tools to return."),
  offset: z.int().min(0).max(10_000).default(0).describe("Tools to skip, from next_offset."),
})

/** One row of the catalogue. */
const rowSchema = z.object({
  name: toolNameSchema,
  title: textSchema(1, 60),
  description: textSchema(1, 300),
  effect: effectSchema,
  category: categorySchema,
  surfaces: surfacesSchema,
  args: textSchema(0, MAX_ARGS_CHARS),
  reach: reachSchema,
  missing_scopes: scopesSchema.optional(),
})

/** Output of `list_tools`. */
export const listToolsOutput = z.object({
  surface: surfaceSchema,
  total: z.int().min(0),
  next_offset: z.int().min(0).optional(),
  tools: z.array(rowSchema).max(200),
})

/** Rows of exposed tools in catalogue order; disabled ones are absent from the catalogue. */
export function listTools(
  input: z.output<typeof listToolsInput>,
  call: Pick<Call, "ports" | "caller">,
): z.output<typeof listToolsOutput> {
  const { catalogue } = call.ports
  const matching = catalogue.entries().filter((entry) => matches(entry, input))
  const end = input.offset + input.limit
  return {
    surface: catalogue.surface,
    total: matching.length,
    ...(end < matching.length ? { next_offset: end } : {}),
    tools: matching.slice(input.offset, end).map((entry) => rowOf(entry, call)),
  }
}

function matches(entry: CatalogueEntry, { query, category, effect }: z.output<typeof listToolsInput>): boolean {
  if (category !== undefined && entry.category !== category) return false
  if (effect !== undefined && entry.effect !== effect) return false
  if (query === undefined) return true
  const needle = query.toLowerCase()
  return [entry.name, entry.title, entry.description].some((text) => text.toLowerCase().includes(needle))
}

function rowOf(entry: CatalogueEntry, { ports, caller }: Pick<Call, "ports" | "caller">): z.output<typeof rowSchema> {
  const missing: Scope[] = [...missingScopes(entry.scopes, caller.scopes)]
  return {
    name: entry.name,
    title: entry.title,
    description: entry.description,
    effect: entry.effect,
    category: entry.category,
    surfaces: [...entry.surfaces],
    args: argumentLine(entry.inputSchema),
    reach: reachOf(entry, ports.catalogue.surface),
    ...(missing.length === 0 ? {} : { missing_scopes: missing }),
  }
}
