import { Server } from "@modelcontextprotocol/server"
import type { RawLedger } from "../raw-ledger.ts"

const TOOL = {
  name: "bench_echo",
  description: "Gives its text back.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
} as const

/** A low-level server of the MCP SDK with one tool that gives its text back, after what a recorded call writes at least. */
export function createFloorServer(raw: RawLedger | undefined): Server {
  const server = new Server({ name: "floor", version: "1.0.0" }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/list", () => ({
    tools: [{ ...TOOL, inputSchema: { ...TOOL.inputSchema, required: ["text"] } }],
  }))
  server.setRequestHandler("tools/call", ({ params }) => {
    raw?.recordCall()
    const output = { text: String(params.arguments?.text ?? "") }
    return { content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output }
  })
  return server
}
