// A bare low-level MCP server on this process's pipes.
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { openRawLedger } from "../raw-ledger.ts"
import { createFloorServer } from "./mcp-floor.ts"

const [database] = process.argv.slice(2)
const raw = database === undefined ? undefined : openRawLedger(database)
serveStdio(() => createFloorServer(raw), { legacy: "serve" })
process.stdin.on("end", () => process.exit(0))
