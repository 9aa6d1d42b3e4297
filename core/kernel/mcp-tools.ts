import { missingScopes, type Scope } from "../access/scopes.ts"
import type { Surface } from "./definition.ts"
import { type Hints, publishedName } from "./derive.ts"
import { deepFreeze } from "./freeze.ts"
import { GATEWAYS } from "./gateways.ts"
import type { ProjectedTool } from "./projection.ts"
import { ENVELOPE } from "./views/envelope.ts"
import type { JsonSchema } from "./views/json-schema.ts"
import { modelInput } from "./views/model.ts"
import { type McpEra, type OfferedWrapper, withWrapper } from "./wrapper.ts"

/** An entry of MCP `tools/list` (spec doors.md §4.2). */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: Hints
}

/** A ready list with its serialised form, shared by every caller that sees the same tools. */
export interface McpToolList {
  readonly tools: readonly McpTool[]
  readonly json: string
}

/** The surfaces whose last entries are the two gateways (spec kernel.md §8). */
export function hasGateways(surface: Surface): boolean {
  return surface === "coding" || surface === "full"
}

/** What a list of entries depends on beside the tools. */
export interface ListedOn {
  readonly surface: Surface
  readonly era: McpEra
}

/** Entries of one surface and era in catalogue order, then the gateways. */
export function mcpEntries(
  tools: readonly ProjectedTool[],
  on: ListedOn,
  offered: OfferedWrapper,
): readonly { readonly scopes: readonly Scope[]; readonly tool: McpTool }[] {
  const own = tools
    .filter((tool) => tool.surfaces.includes(on.surface))
    .map((tool) => ({ scopes: tool.definition.scopes, tool: mcpTool(tool, on) }))
  return hasGateways(on.surface)
    ? [...own, ...GATEWAYS.map((gateway) => ({ scopes: [], tool: gatewayTool(gateway, offered[on.era]) }))]
    : own
}

/** The entries that a caller's scopes leave visible (spec doors.md §4.2). */
export function visibleEntries(entries: ReturnType<typeof mcpEntries>, scopes: ReadonlySet<Scope>): readonly McpTool[] {
  return entries.filter((entry) => missingScopes(entry.scopes, scopes).length === 0).map((entry) => entry.tool)
}

function mcpTool(tool: ProjectedTool, { surface, era }: ListedOn): McpTool {
  const { title, description } = tool.definition
  return deepFreeze({
    name: publishedName(tool.definition, surface),
    title,
    description,
    inputSchema: tool.model[era],
    outputSchema: ENVELOPE,
    annotations: tool.hints,
  })
}

function gatewayTool(gateway: (typeof GATEWAYS)[number], offered: OfferedWrapper[McpEra]): McpTool {
  const { name, title, description, hints, input } = gateway
  return deepFreeze({
    name,
    title,
    description,
    inputSchema: withWrapper(modelInput(input), offered),
    outputSchema: ENVELOPE,
    annotations: hints,
  })
}
