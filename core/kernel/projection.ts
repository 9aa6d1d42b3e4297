import type { CatalogueEntry } from "./catalogue.ts"
import type { AnyToolDefinition, Surface } from "./definition.ts"
import { type GuardName, guardOf, type Hints, hintsOf, isConsequential, surfacesOf } from "./derive.ts"
import { deepFreeze } from "./freeze.ts"
import type { ExactViews } from "./views/exact.ts"
import { type JsonSchema, propertiesOf, requiredOf } from "./views/json-schema.ts"
import { modelInput } from "./views/model.ts"
import { type McpEra, type OfferedWrapper, type WrapperName, withWrapper, wrapperOf } from "./wrapper.ts"

/** One tool with everything that doors derive from its definition, computed once (spec doors.md §1). */
export interface ProjectedTool {
  readonly definition: AnyToolDefinition
  readonly name: string
  readonly surfaces: readonly Surface[]
  readonly hints: Hints
  /** `x-openai-isConsequential`. */
  readonly consequential: boolean
  readonly guard: GuardName | undefined
  /** Wrapper fields that this tool takes beside its own through HTTP and older MCP. */
  readonly wrapper: readonly WrapperName[]
  /** The same for each era of the MCP door. */
  readonly eraWrapper: OfferedWrapper
  /** Root fields of the input. */
  readonly fields: readonly string[]
  /** Whether the input holds an open object, whose members no schema judges. */
  readonly hasOpenInput: boolean
  /** Exact views, without wrapper fields. */
  readonly exact: ExactViews
  /** Model view of the input, with wrapper fields. */
  readonly model: Readonly<Record<McpEra, JsonSchema>>
  readonly entry: CatalogueEntry
}

/** Projects a definition with its exact views; `offered` are the wrapper fields of the whole registry. */
export function projectTool(definition: AnyToolDefinition, views: ExactViews, offered: OfferedWrapper): ProjectedTool {
  const exact = deepFreeze(views)
  const wrapper = wrapperOf(definition.target, offered)
  const model = modelInput(exact.input)
  const hints = hintsOf(definition, requiredOf(exact.input))
  const surfaces = surfacesOf(definition)
  return Object.freeze({
    definition,
    name: definition.name,
    surfaces: Object.freeze(surfaces),
    hints: Object.freeze(hints),
    consequential: isConsequential(definition),
    guard: guardOf(definition),
    wrapper: Object.freeze(wrapper["2025"]),
    eraWrapper: deepFreeze(wrapper),
    fields: Object.freeze(Object.keys(propertiesOf(exact.input))),
    hasOpenInput: JSON.stringify(exact.input).includes('"additionalProperties":true'),
    exact,
    model: deepFreeze({ "2025": withWrapper(model, wrapper["2025"]), "2026": withWrapper(model, wrapper["2026"]) }),
    entry: deepFreeze(catalogueEntry(definition, { exact, hints, surfaces })),
  })
}

function catalogueEntry(
  definition: AnyToolDefinition,
  { exact, hints, surfaces }: Pick<ProjectedTool, "exact" | "hints" | "surfaces">,
): CatalogueEntry {
  const { idempotency, mutates } = definition
  return {
    name: definition.name,
    aliases: { ...definition.alias },
    title: definition.title,
    description: definition.description,
    category: definition.category,
    effect: definition.effect,
    ...(mutates === undefined ? {} : { mutates }),
    hints,
    idempotency: typeof idempotency === "object" ? `key:${idempotency.key}` : idempotency,
    risk: definition.risk,
    scopes: [...definition.scopes],
    target: { ...definition.target },
    inherits: [...definition.inherits],
    surfaces: [...surfaces],
    inputSchema: exact.input,
    outputSchema: exact.output,
  }
}
