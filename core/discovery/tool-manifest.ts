import { z } from "zod"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import { textSchema } from "../kernel/text-schema.ts"
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

/** Input of `tool_manifest` (spec kernel.md §8). */
export const toolManifestInput = z.strictObject({
  tool_name: textSchema(1, 64).describe("Name of the tool, as list_tools gives it."),
})

const need = z.enum(["none", "optional", "required"])
const word = textSchema(1, 80)

/** Output of `tool_manifest`: the exact view of one tool. */
export const toolManifestOutput = z.object({
  name: toolNameSchema,
  aliases: z.array(z.object({ surface: surfaceSchema, name: toolNameSchema })).max(3),
  title: textSchema(1, 60),
  description: textSchema(1, 300),
  category: categorySchema,
  effect: effectSchema,
  mutates: z.enum(["workspace", "session", "knowledge"]).optional(),
  hints: z.object({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
  idempotency: word,
  risk: word,
  scopes: scopesSchema,
  target: z.object({ project: need, session: need, chat: need }),
  inherits: z.array(z.enum(["cwd", "shell", "resource"])).max(3),
  surfaces: surfacesSchema,
  reach: reachSchema,
  schema_hash: textSchema(1, 64),
  input_schema: z.looseObject({}).optional(),
  output_schema: z.looseObject({}).optional(),
})

/** The exact contract of one exposed tool. @throws `unknown_tool`. */
export function toolManifest(
  input: z.output<typeof toolManifestInput>,
  call: Pick<Call, "ports">,
): z.output<typeof toolManifestOutput> {
  const { catalogue } = call.ports
  const entry = catalogue.find(input.tool_name)
  if (entry === undefined)
    throw new ToolError("unknown_tool", "There is no exposed tool of that name. Ask list_tools for the names.", {
      details: { did_you_mean: [], surfaces: [], schema_hash: catalogue.schemaHash },
    })
  return {
    name: entry.name,
    aliases: aliasesOf(entry.aliases),
    title: entry.title,
    description: entry.description,
    category: entry.category,
    effect: entry.effect,
    ...(entry.mutates === undefined ? {} : { mutates: entry.mutates }),
    hints: { ...entry.hints },
    idempotency: entry.idempotency,
    risk: entry.risk,
    scopes: [...entry.scopes],
    target: { ...entry.target },
    inherits: [...entry.inherits],
    surfaces: [...entry.surfaces],
    reach: reachOf(entry, catalogue.surface),
    schema_hash: catalogue.schemaHash,
    input_schema: { ...entry.inputSchema },
    output_schema: { ...entry.outputSchema },
  }
}

function aliasesOf(aliases: Readonly<Partial<Record<z.output<typeof surfaceSchema>, string>>>) {
  const surfaces = surfaceSchema.options
  return surfaces.flatMap((surface) => {
    const name = aliases[surface]
    return name === undefined ? [] : [{ surface, name }]
  })
}
