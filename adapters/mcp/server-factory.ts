import type { CallToolRequest, CallToolResult, ListToolsResult, ServerContext } from "@modelcontextprotocol/server"
import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import type { Caller } from "../../core/access/principal.ts"
import { SCOPES, type Scope } from "../../core/access/scopes.ts"
import type { AbortReason } from "../../core/kernel/call.ts"
import type { Clock } from "../../core/kernel/clock.ts"
import type { Surface } from "../../core/kernel/definition.ts"
import type { Ids } from "../../core/kernel/ids.ts"
import type { Kernel } from "../../core/kernel/kernel.ts"
import { splitWrapper } from "../../core/kernel/wrapper.ts"
import type { McpCatalogue, McpEra } from "./catalogue.ts"
import { instructionsOf } from "./instructions.ts"
import { readStatedLimits } from "./meta.ts"
import { type ProgressReporter, reportProgress } from "./progress.ts"
import { renderResult } from "./render.ts"

/** Revisions served, newest first (spec doors.md §4.1). */
const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"]

/** Everything the MCP door needs; the same for all requests. */
export interface McpDoorDeps {
  readonly kernel: Kernel
  readonly catalogue: McpCatalogue
  readonly clock: Clock
  readonly ids: Ids
  readonly version: string
  /** Time for a whole call when the caller states none, ms. */
  readonly deadlineMs: number
  /** Puts something before the handlers of every exchange; the conformance suite's fixtures come in here. */
  readonly intercept?: (handlers: McpHandlers) => McpHandlers
}

/** The two methods that the door answers itself; everything else is the SDK's (spec doors.md §4.1). */
export interface McpHandlers {
  readonly listTools: () => Promise<ListToolsResult>
  readonly callTool: (request: CallToolRequest, context: ServerContext) => Promise<CallToolResult>
}

/** Who speaks and on which endpoint: one HTTP request, or one stdio connection. */
export interface McpExchange {
  readonly caller: Caller
  readonly surface: Surface
  readonly door: "mcp" | "stdio"
  /** Absent on stdio, where each call mints its own. */
  readonly requestId?: string
  /** Monotonic clock when the request had been read, ms; absent = when its handler is entered. */
  readonly receivedAt?: number
  /** Aborts with the reason why this exchange's calls should end. */
  readonly ended?: AbortSignal
}

/** A low-level server of one exchange, over prebuilt lists (spec doors.md §4.1): the kernel alone parses arguments. */
export function createMcpServer(deps: McpDoorDeps, exchange: McpExchange, era: McpEra): Server {
  const server = new Server(
    { name: "holdfast", version: deps.version },
    {
      capabilities: { tools: {} },
      instructions: instructionsFor(deps.catalogue, exchange.surface, era),
      supportedProtocolVersions: PROTOCOL_VERSIONS,
      cacheHints: {
        "tools/list": { ttlMs: 300_000, cacheScope: "private" },
        "server/discover": { ttlMs: 3_600_000, cacheScope: "public" },
      },
    },
  )
  const own = createHandlers(deps, exchange, era)
  const { listTools, callTool } = deps.intercept?.(own) ?? own
  server.setRequestHandler("tools/list", listTools)
  server.setRequestHandler("tools/call", callTool)
  return server
}

const EVERY_SCOPE: ReadonlySet<Scope> = new Set(SCOPES)

/** `server/discover` may be cached for everybody, so it does not look at the caller's scopes. */
function instructionsFor(catalogue: McpCatalogue, surface: Surface, era: McpEra): string {
  const tools = new Set(catalogue.mcpTools(surface, era, EVERY_SCOPE).map(({ name }) => name))
  return instructionsOf({ surface, tools, wrapper: catalogue.wrapperFields(era) })
}

function createHandlers(deps: McpDoorDeps, exchange: McpExchange, era: McpEra): McpHandlers {
  return {
    listTools: async () => ({
      tools: deps.catalogue.mcpTools(exchange.surface, era, exchange.caller.scopes).map((tool) => ({ ...tool })),
      _meta: { "holdfast/schema-hash": deps.catalogue.schemaHash },
    }),
    callTool: (request, context) => callTool({ deps, exchange, era, request, context }),
  }
}

interface ToolCall {
  readonly deps: McpDoorDeps
  readonly exchange: McpExchange
  readonly era: McpEra
  readonly request: CallToolRequest
  readonly context: ServerContext
}

async function callTool({ deps, exchange, era, request, context }: ToolCall): Promise<CallToolResult> {
  const { name, arguments: given = {} } = request.params
  const offered = deps.catalogue.wrapperFields(era)
  const { input, wrapper } = splitWrapper(given, offered)
  const { deadlineMs, replyLimit } = readStatedLimits(context.mcpReq._meta, deps.deadlineMs)
  const requestId = exchange.requestId ?? deps.ids.token()
  const progress = progressOf(deps.clock, context)
  const abort = hearAbort(exchange, context)
  try {
    const { result } = await deps.kernel.call({
      tool: name,
      input,
      wrapper,
      caller: exchange.caller,
      door: exchange.door,
      surface: exchange.surface,
      acknowledges: offered.includes("ack_session_message_ids"),
      request: {
        id: requestId,
        deadlineMs,
        receivedAt: exchange.receivedAt ?? deps.clock.monotonic(),
        ...(replyLimit === undefined ? {} : { replyLimit }),
      },
      signal: abort.signal,
      ...(progress === undefined ? {} : { onProgress: ({ text }) => progress.update(text) }),
    })
    if (!result.success && result.error.kind === "unknown_tool" && !deps.catalogue.isGateway(name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, result.error.message, {
        kind: result.error.kind,
        ...result.error.details,
      })
    }
    return renderResult(result, requestId)
  } finally {
    abort.stop()
    progress?.stop()
  }
}

function progressOf(clock: Clock, context: ServerContext): ProgressReporter | undefined {
  const progressToken = context.mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  return reportProgress(clock, ({ progress, message }) =>
    context.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } }),
  )
}

interface HeardAbort {
  readonly signal: AbortSignal
  /** The call has ended: an exchange may outlive many calls and must not go on holding them. */
  stop(): void
}

/** The SDK's signal stands for the host's wish to stop; the exchange's own end, where it has one, says why it ended. */
function hearAbort({ ended }: McpExchange, { mcpReq: { signal } }: ServerContext): HeardAbort {
  if (ended === undefined) return { signal, stop: () => undefined }
  const controller = new AbortController()
  const cancelled: AbortReason = "client_cancelled"
  const abort = (): void => controller.abort(ended.aborted ? ended.reason : cancelled)
  if (signal.aborted || ended.aborted) abort()
  for (const heard of [signal, ended]) heard.addEventListener("abort", abort)
  return {
    signal: controller.signal,
    stop() {
      for (const heard of [signal, ended]) heard.removeEventListener("abort", abort)
    },
  }
}
