/** The MCP door (package entry `holdfast/mcp`): Streamable HTTP and stdio over one kernel (spec doors.md §4). */
export type { McpCatalogue, McpEra, McpTool, ObjectSchema } from "./catalogue.ts"
export { renderBodyFault } from "./faults.ts"
export { createMcpHttpDoor, type McpHttpDoor, type McpHttpRequest } from "./http.ts"
export type { McpDoorDeps, McpExchange, McpHandlers } from "./server-factory.ts"
export { type StdioDoor, type StdioDoorOptions, serveMcpStdio } from "./stdio.ts"
