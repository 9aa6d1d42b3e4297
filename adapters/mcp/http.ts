import { toNodeHandler } from "@modelcontextprotocol/node"
import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
} from "@modelcontextprotocol/server"
import type { JsonObject } from "../../core/kernel/strict-json.ts"
import { lostArgument } from "./faults.ts"
import { createMcpServer, type McpDoorDeps, type McpExchange } from "./server-factory.ts"

const KEEP_ALIVE_MS = 10_000

type NodeHandler = ReturnType<typeof toNodeHandler>

/** One authenticated POST to `/mcp` whose body has passed the gate. */
export interface McpHttpRequest {
  readonly req: Parameters<NodeHandler>[0]
  readonly res: Parameters<NodeHandler>[1] & { readonly writableFinished: boolean }
  readonly body: JsonObject
  readonly exchange: Omit<McpExchange, "door" | "ended">
}

/** MCP over Streamable HTTP, both eras from one factory, without any state between requests (spec doors.md §4.1). */
export interface McpHttpDoor {
  handle(request: McpHttpRequest): Promise<void>
  /** The web-standard face for embedding hosts (spec doors.md §6). */
  fetch(request: Request, exchange: Omit<McpExchange, "door" | "ended">): Promise<Response>
  close(): Promise<void>
}

/** Serves the door; `onFault` hears of faults inside the SDK, which never alter a reply. */
export function createMcpHttpDoor(deps: McpDoorDeps, onFault: (error: Error) => void): McpHttpDoor {
  // The SDK passes its AuthInfo through untouched; its identity carries our exchange to the factory without a cast.
  const exchanges = new WeakMap<AuthInfo, McpExchange>()
  const factory = ({ era, authInfo }: McpRequestContext) => {
    const exchange = authInfo === undefined ? undefined : exchanges.get(authInfo)
    if (exchange === undefined) throw new Error("An MCP request reached its server without an exchange.")
    return createMcpServer(deps, exchange, era === "modern" ? "2026" : "2025")
  }
  const handlerOf = (responseMode: "auto" | "sse"): McpHttpHandler =>
    createMcpHandler(factory, { legacy: "stateless", responseMode, keepAliveMs: KEEP_ALIVE_MS, onerror: onFault })
  const handlers = { auto: handlerOf("auto"), sse: handlerOf("sse") }
  const nodeHandlers = {
    auto: toNodeHandler(handlers.auto, { onerror: onFault }),
    sse: toNodeHandler(handlers.sse, { onerror: onFault }),
  }

  const admit = (exchange: McpExchange): AuthInfo => {
    const authInfo: AuthInfo = { token: "", clientId: exchange.caller.principal.id, scopes: [] }
    exchanges.set(authInfo, exchange)
    return authInfo
  }
  const modeOf = (
    header: (name: string) => string | undefined,
    exchange: Pick<McpExchange, "surface">,
  ): "auto" | "sse" => {
    const name = header("mcp-name")
    const deadline = name === undefined ? undefined : deps.catalogue.deadlineClass(exchange.surface, name)
    const streams = header("accept")?.includes("text/event-stream") === true
    return streams && (deadline === "wait" || deadline === "handover") ? "sse" : "auto"
  }

  return {
    async handle({ req, res, body, exchange }) {
      const fault = lostArgument(body)
      if (fault !== undefined) {
        res.writeHead(200, { "Content-Type": "application/json" })
        res.end(JSON.stringify(fault))
        return
      }
      const ended = new AbortController()
      res.on("close", () => {
        if (!res.writableFinished) ended.abort("client_cancelled")
      })
      const header = (name: string): string | undefined => {
        const value = req.headers[name]
        return Array.isArray(value) ? value.join(",") : value
      }
      const authInfo = admit({ ...exchange, door: "mcp", ended: ended.signal })
      req.auth = authInfo
      await nodeHandlers[modeOf(header, exchange)](req, res, body)
    },
    async fetch(request, exchange) {
      const header = (name: string): string | undefined => request.headers.get(name) ?? undefined
      const authInfo = admit({ ...exchange, door: "mcp", ended: request.signal })
      return handlers[modeOf(header, exchange)].fetch(request, { authInfo })
    },
    async close() {
      await Promise.all([handlers.auto.close(), handlers.sse.close()])
    },
  }
}
