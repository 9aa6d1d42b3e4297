import type { Prepared } from "./http-client.ts"

/** What a host of 2026-07-28 sends with every request. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
} as const

/** What a host of 2025 sends first. */
export const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "1.0.0" },
} as const

/** Where requests go, with which headers. */
export interface McpEndpoint {
  readonly port: number
  readonly token?: string
}

/** One request of 2026-07-28 over HTTP. */
export function modernRequest({ port, token }: McpEndpoint, method: string, params: object): Prepared {
  const name = "name" in params ? { "Mcp-Name": String(params.name) } : {}
  return {
    port,
    path: "/mcp",
    headers: { ...headersOf(token), "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...name },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: ENVELOPE } }),
  }
}

/** One request of a 2025 revision over HTTP, without a session. */
export function legacyRequest({ port, token }: McpEndpoint, method: string, params: object): Prepared {
  return {
    port,
    path: "/mcp",
    headers: { ...headersOf(token), "MCP-Protocol-Version": "2025-06-18" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  }
}

function headersOf(token: string | undefined): Record<string, string> {
  return {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  }
}
