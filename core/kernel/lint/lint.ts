import { type AnyToolDefinition, SURFACES } from "../definition.ts"
import { mcpEntries } from "../mcp-tools.ts"
import type { ProjectedTool } from "../projection.ts"
import { type ExactViews, exactViews } from "../views/exact.ts"
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
export function lintDefinitions(
  definitions: readonly AnyToolDefinition[],
  viewsOf: (definition: AnyToolDefinition) => ExactViews = exactViews,
): readonly Finding[] {
  return [...lintCatalogue(definitions), ...definitions.flatMap((definition) => lintDefinition(definition, viewsOf))]
}

/** R12: every breach of the size rules of projected lists, in the era that offers more fields. */
export function lintLists(tools: readonly ProjectedTool[], wrapper: OfferedWrapper): readonly Finding[] {
  return SURFACES.flatMap((surface) =>
    lintSize(
      surface,
      mcpEntries(tools, { surface, era: "2026" }, wrapper).map((entry) => entry.tool),
    ),
  )
}

function lintDefinition(
  definition: AnyToolDefinition,
  viewsOf: (definition: AnyToolDefinition) => ExactViews,
): readonly Finding[] {
  const projected = project(definition, viewsOf)
  if ("fault" in projected) return [projected.fault]
  const { input, output } = projected
  return [
    ...lintText(definition),
    ...lintInput(definition, input),
    ...lintOutput(definition, output),
    ...lintConsistency(definition, input),
    ...lintRecord(definition, { input, output }),
  ]
}

/** A schema that JSON Schema cannot express makes `tools/list` fail for everybody. */
function project(
  definition: AnyToolDefinition,
  viewsOf: (definition: AnyToolDefinition) => ExactViews,
): ExactViews | { readonly fault: Finding } {
  try {
    return viewsOf(definition)
  } catch (error) {
    const message = error instanceof Error ? error.message : "cannot be projected"
    return { fault: { tool: definition.name, rule: "R5", message } }
  }
}
