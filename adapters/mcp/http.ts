import type { IncomingMessage, ServerResponse } from "node:http"
import {
  type AuthInfo,
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
} from "@modelcontextprotocol/server"
import type { JsonObject } from "../../core/kernel/strict-json.ts"
import { lostArgument } from "./faults.ts"
import { createMcpServer, type McpDoorDeps, type McpExchange } from "./server-factory.ts"
import { webRequestOf, writeReply } from "./web-exchange.ts"

const KEEP_ALIVE_MS = 10_000

/** One authenticated POST to `/mcp` whose body has passed the gate. */
export interface McpHttpRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
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

  const modeOf = ({ headers }: Request, { surface }: Pick<McpExchange, "surface">): "auto" | "sse" => {
    const name = headers.get("mcp-name")
    const deadline = name === null ? undefined : deps.catalogue.deadlineClass(surface, name)
    const streams = headers.get("accept")?.includes("text/event-stream") === true
    return streams && (deadline === "wait" || deadline === "handover") ? "sse" : "auto"
  }
  const serve = (request: Request, exchange: Omit<McpExchange, "door">, parsedBody?: JsonObject): Promise<Response> => {
    const authInfo: AuthInfo = { token: "", clientId: exchange.caller.principal.id, scopes: [] }
    exchanges.set(authInfo, { ...exchange, door: "mcp" })
    return handlers[modeOf(request, exchange)].fetch(request, {
      authInfo,
      ...(parsedBody === undefined ? {} : { parsedBody }),
    })
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
      const request = webRequestOf(req, ended.signal)
      const reply = await serve(request, { ...exchange, ended: ended.signal }, body)
      await writeReply(res, reply, ended.signal)
    },
    fetch: (request, exchange) => serve(request, { ...exchange, ended: request.signal }),
    async close() {
      await Promise.all([handlers.auto.close(), handlers.sse.close()])
    },
  }
}
