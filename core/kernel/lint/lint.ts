import type { AnyToolDefinition, Surface } from "../definition.ts"
import { mcpEntries } from "../mcp-tools.ts"
import type { ProjectedTool } from "../projection.ts"
import { exactInput, exactOutput } from "../views/exact.ts"
import type { OfferedWrapper } from "../wrapper.ts"
import { lintCatalogue } from "./catalogue.ts"
import { lintConsistency } from "./consistency.ts"
import type { Finding } from "./finding.ts"
import { lintInput } from "./input.ts"
import { lintOutput } from "./output.ts"
import { lintRecord } from "./record.ts"
import { lintSize } from "./size.ts"
import { lintText } from "./text.ts"

/** Every breach of the rules about definitions themselves (spec doors.md §1.5 R1–R11, kernel.md §1); empty = sound. */
export function lintDefinitions(definitions: readonly AnyToolDefinition[]): readonly Finding[] {
  return [...lintCatalogue(definitions), ...definitions.flatMap(lintDefinition)]
}

/** R12: every breach of the size rules of projected lists, in the era that offers more fields. */
export function lintLists(tools: readonly ProjectedTool[], wrapper: OfferedWrapper): readonly Finding[] {
  const surfaces: readonly Surface[] = ["coding", "shell", "workflow", "full"]
  return surfaces.flatMap((surface) =>
    lintSize(
      surface,
      mcpEntries(tools, { surface, era: "2026" }, wrapper).map((entry) => entry.tool),
    ),
  )
}

function lintDefinition(definition: AnyToolDefinition): readonly Finding[] {
  const unprojectable = projectionFault(definition)
  if (unprojectable !== undefined) return [unprojectable]
  const input = exactInput(definition.input)
  const output = exactOutput(definition.output)
  return [
    ...lintText(definition),
    ...lintInput(definition, input),
    ...lintOutput(definition, output),
    ...lintConsistency(definition, input),
    ...lintRecord(definition, { input, output }),
  ]
}

/** A schema that JSON Schema cannot express makes `tools/list` fail for everybody. */
function projectionFault(definition: AnyToolDefinition): Finding | undefined {
  try {
    exactInput(definition.input)
    exactOutput(definition.output)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : "cannot be projected"
    return { tool: definition.name, rule: "R5", message }
  }
}
