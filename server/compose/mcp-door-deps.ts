import type { McpDoorDeps } from "../../adapters/mcp/index.ts"
import { VERSION } from "../version.ts"
import { createMcpCatalogue } from "./mcp-catalogue.ts"
import type { Runtime } from "./runtime.ts"

/** The MCP door's parts over a runtime; one set serves HTTP and stdio. */
export function mcpDoorDeps({ kernel, registry, clock, ids, schemaHash, config }: Runtime): McpDoorDeps {
  return {
    kernel,
    clock,
    ids,
    version: VERSION,
    deadlineMs: config.mcp_deadline_ms,
    catalogue: createMcpCatalogue(registry, { schemaHash, outputSchemas: config.output_schemas }),
  }
}
