import type { McpCatalogue, McpTool, ObjectSchema } from "../../adapters/mcp/index.ts"
import type { Surface } from "../../core/kernel/definition.ts"
import { isGatewayName } from "../../core/kernel/gateways.ts"
import type { McpToolList } from "../../core/kernel/mcp-tools.ts"
import type { Registry } from "../../core/kernel/registry.ts"
import type { JsonSchema } from "../../core/kernel/views/json-schema.ts"

/** The registry as the MCP door asks for it; lists are converted once for each list that the registry caches. */
export function createMcpCatalogue(
  registry: Registry,
  options: { readonly schemaHash: () => string; readonly outputSchemas: "envelope" | "exact" },
): McpCatalogue {
  const converted = new WeakMap<McpToolList, readonly McpTool[]>()
  const outputOf = (surface: Surface, published: string, envelope: JsonSchema): ObjectSchema => {
    const exact = registry.find(published, surface)?.tool.exact.output
    if (options.outputSchemas === "envelope" || exact === undefined) return asObject(envelope)
    const { properties } = envelope
    return asObject({
      ...envelope,
      properties: { ...(typeof properties === "object" ? properties : {}), output: exact },
    })
  }
  return {
    get schemaHash() {
      return options.schemaHash()
    },
    mcpTools(surface, era, scopes) {
      const list = registry.mcpTools(surface, era, scopes)
      const known = converted.get(list)
      if (known !== undefined) return known
      const tools = list.tools.map((tool) => ({
        ...tool,
        inputSchema: asObject(tool.inputSchema),
        outputSchema: outputOf(surface, tool.name, tool.outputSchema),
      }))
      converted.set(list, tools)
      return tools
    },
    deadlineClass: (surface, published) => registry.find(published, surface)?.tool.definition.deadline,
    wrapperFields: (era) => registry.eraWrapper[era],
    isGateway: isGatewayName,
  }
}

/** Inputs and outputs are objects by the registry's own lint (doors.md R3, R8). */
function asObject(schema: JsonSchema): ObjectSchema {
  return { ...schema, type: "object" }
}
