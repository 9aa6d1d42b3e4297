// A bare low-level MCP server over Streamable HTTP, both eras.
import { createServer } from "node:http"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler } from "@modelcontextprotocol/server"
import { openRawLedger } from "../raw-ledger.ts"
import { createFloorServer } from "./mcp-floor.ts"
import { listen } from "./report.ts"

const [database] = process.argv.slice(2)
const raw = database === undefined ? undefined : openRawLedger(database)
const handler = toNodeHandler(createMcpHandler(() => createFloorServer(raw), { legacy: "stateless" }))
listen(
  createServer((request, response) => {
    void handler(Object.assign(request, { method: request.method ?? "", url: request.url ?? "" }), response)
  }),
)
