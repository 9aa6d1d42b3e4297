import type { McpDoorDeps } from "../../adapters/mcp/index.ts"
import type { Telemetry } from "../../core/kernel/telemetry.ts"
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

/**
 * Who hears of faults in the SDK: a line with their kind alone, for their texts quote what a client sent, of any length. A
 * fault of a call never comes here: the kernel tells it with its stack.
 */
export function mcpFaultListener(telemetry: Pick<Telemetry, "note">): (error: Error) => void {
  return (error) => telemetry.note("mcp message not served", { kind: error.name.slice(0, 64) })
}
