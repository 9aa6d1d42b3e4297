import type { Scope } from "../access/scopes.ts"
import type { Catalogue } from "./catalogue.ts"
import { type AnyToolDefinition, type Feature, SURFACES, type Surface } from "./definition.ts"
import { publishedName } from "./derive.ts"
import { deepFreeze } from "./freeze.ts"
import { RegistryError } from "./lint/finding.ts"
import { lintDefinitions, lintLists } from "./lint/lint.ts"
import { hasGateways, type McpToolList, mcpEntries, visibleEntries } from "./mcp-tools.ts"
import { type ProjectedTool, projectTool } from "./projection.ts"
import { type ExactViews, exactViews } from "./views/exact.ts"
import { type McpEra, type OfferedWrapper, offeredWrapper, type WrapperName } from "./wrapper.ts"

/** How a registry is configured (spec kernel.md §14); every member has the default of the product. */
export interface RegistryOptions {
  /** Names that answer `tool_disabled`. */
  readonly disabledTools?: readonly string[]
  /** Configured parts of the product; absent = all. */
  readonly features?: readonly Feature[]
  /** What this process lists; default `coding`. */
  readonly surface?: Surface
}

/** A tool that a door asked for, and whether it may be called (spec kernel.md §4 steps 2a, 2b). */
export interface FoundTool {
  readonly tool: ProjectedTool
  readonly closed: "disabled" | "feature_off" | undefined
}

/** All tools of one process: the only list of tools there is (spec doors.md rule 1). Immutable. */
export interface Registry {
  readonly surface: Surface
  /** Every tool in catalogue order, also those that are not exposed. */
  readonly tools: readonly ProjectedTool[]
  /** The tools that are neither disabled nor of a feature that is off. */
  readonly exposed: readonly ProjectedTool[]
  /** Wrapper fields that HTTP and older MCP take off the arguments of every call (spec doors.md §1.4). */
  readonly wrapper: readonly WrapperName[]
  /** The same for each era of the MCP door. */
  readonly eraWrapper: OfferedWrapper
  /** By the name published on a surface; without one by the tool's own name. */
  find(published: string, surface: Surface | undefined): FoundTool | undefined
  /** Whether the gateways exist there; HTTP and SDK (no surface) have them. */
  hasGateways(surface: Surface | undefined): boolean
  /** `tools/list` as the scopes leave it; cached by what is visible. */
  mcpTools(surface: Surface, era: McpEra, scopes: ReadonlySet<Scope>): McpToolList
  /** The registry as discovery tools see it; the hash is asked for when somebody wants to know it. */
  catalogue(schemaHash: () => string): Catalogue
}

/**
 * Builds the registry from definitions in catalogue order. @throws RegistryError naming tool, field and rule of every breach
 * of doors.md §1.5 and kernel.md §1.
 */
export function createRegistry(definitions: readonly AnyToolDefinition[], options: RegistryOptions = {}): Registry {
  const wrapper = offeredWrapper(definitions)
  const viewsOf = oncePerDefinition(exactViews)
  const definitionFindings = lintDefinitions(definitions, viewsOf)
  if (definitionFindings.length > 0) throw new RegistryError(definitionFindings)
  const tools = definitions.map((definition) => projectTool(definition, viewsOf(definition), wrapper))
  const listFindings = lintLists(tools, wrapper)
  if (listFindings.length > 0) throw new RegistryError(listFindings)
  return assemble(tools, wrapper, options)
}

/** Views take most of the time of a start; lint and projection look at the same ones. */
function oncePerDefinition(
  make: (definition: AnyToolDefinition) => ExactViews,
): (definition: AnyToolDefinition) => ExactViews {
  const made = new Map<AnyToolDefinition, ExactViews>()
  return (definition) => {
    const known = made.get(definition) ?? make(definition)
    made.set(definition, known)
    return known
  }
}

function assemble(
  tools: readonly ProjectedTool[],
  wrapper: OfferedWrapper,
  { disabledTools = [], features, surface = "coding" }: RegistryOptions,
): Registry {
  const closedReason = ({ definition, name }: ProjectedTool): FoundTool["closed"] => {
    if (disabledTools.includes(name)) return "disabled"
    const off = definition.feature !== undefined && features !== undefined && !features.includes(definition.feature)
    return off ? "feature_off" : undefined
  }
  const found = tools.map((tool): FoundTool => Object.freeze({ tool, closed: closedReason(tool) }))
  const exposed = found.filter((item) => item.closed === undefined).map((item) => item.tool)
  const byName = new Map(found.map((item) => [item.tool.name, item]))
  const bySurface = new Map(SURFACES.map((each) => [each, published(found, each)]))
  return Object.freeze({
    surface,
    tools: Object.freeze(tools),
    exposed: Object.freeze(exposed),
    wrapper: Object.freeze(wrapper["2025"]),
    eraWrapper: deepFreeze(wrapper),
    find: (name: string, on: Surface | undefined) => (on === undefined ? byName : bySurface.get(on))?.get(name),
    hasGateways: (on: Surface | undefined) => on === undefined || hasGateways(on),
    mcpTools: cachedLists(exposed, wrapper),
    catalogue: (schemaHash: () => string) => catalogueOf(exposed, surface, schemaHash),
  })
}

function published(found: readonly FoundTool[], surface: Surface): ReadonlyMap<string, FoundTool> {
  const shown = found.filter((item) => item.tool.surfaces.includes(surface))
  return new Map(shown.map((item) => [publishedName(item.tool.definition, surface), item]))
}

/** Lists are functions of (surface, era, visible tools); eras that offer the same wrapper fields share theirs. */
function cachedLists(exposed: readonly ProjectedTool[], wrapper: OfferedWrapper): Registry["mcpTools"] {
  const eras: readonly McpEra[] = ["2025", "2026"]
  const entries = new Map(
    eras.flatMap((era) =>
      SURFACES.map((surface) => [`${era} ${surface}`, mcpEntries(exposed, { surface, era }, wrapper)] as const),
    ),
  )
  const cache = new Map<string, McpToolList>()
  return (surface, asked, scopes) => {
    const era = wrapper["2025"].length === wrapper["2026"].length ? "2025" : asked
    const key = `${era} ${surface} ${[...scopes].sort().join(" ")}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const tools = visibleEntries(entries.get(`${era} ${surface}`) ?? [], scopes)
    const list = Object.freeze({ tools: Object.freeze(tools), json: JSON.stringify(tools) })
    if (cache.size >= MAX_CACHED_LISTS) cache.clear()
    cache.set(key, list)
    return list
  }
}

/** Sets of scopes that callers really have are few; the bound only keeps an odd set of credentials from growing the cache. */
const MAX_CACHED_LISTS = 256

function catalogueOf(exposed: readonly ProjectedTool[], surface: Surface, schemaHash: () => string): Catalogue {
  const entries = Object.freeze(exposed.map((tool) => tool.entry))
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return Object.freeze({
    surface,
    get schemaHash() {
      return schemaHash()
    },
    entries: () => entries,
    find: (name: string) => byName.get(name),
  })
}
