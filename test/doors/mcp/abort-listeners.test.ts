import { getEventListeners } from "node:events"
import { Client } from "@modelcontextprotocol/client"
import { InMemoryTransport } from "@modelcontextprotocol/server"
import { expect, it } from "vitest"
import { createMcpServer } from "../../../adapters/mcp/server-factory.ts"
import { stdioCaller } from "../../../core/access/callers.ts"
import { mcpDoorDeps } from "../../../server/compose/mcp-door-deps.ts"
import { startServer } from "../../support/server.ts"

it("a connection that lives long holds nothing of the calls that have ended", async () => {
  const server = await startServer()
  try {
    const over = new AbortController()
    const exchange = { caller: stdioCaller(), surface: "coding", door: "stdio", ended: over.signal } as const
    const mcp = createMcpServer(mcpDoorDeps(server.runtime), exchange, "2025")
    const [near, far] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: "t", version: "0" })
    await Promise.all([mcp.connect(near), client.connect(far)])
    const before = getEventListeners(over.signal, "abort").length
    for (let made = 0; made < 5; made++) await client.callTool({ name: "list_projects", arguments: {} })
    expect(getEventListeners(over.signal, "abort")).toHaveLength(before)
    await client.close()
  } finally {
    await server.close()
  }
})
