import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { BodyLost, readBody } from "../../adapters/http/body.ts"
import { clientAddress } from "../../adapters/http/client-address.ts"
import { type Admitted, admit, type GateOptions } from "../../adapters/http/gate.ts"
import { announcesBody } from "../../adapters/http/media-type.ts"
import { onlyHeader } from "../../adapters/http/raw-headers.ts"
import { internalError, REPLY_HEADERS, refusalBody, refusalHeaders, requestId } from "../../adapters/http/reply.ts"
import type { Route } from "../../adapters/http/route-table.ts"
import { readJsonBody } from "../../adapters/http/strict-body.ts"
import { renderBodyFault } from "../../adapters/mcp/index.ts"
import type { AbortReason } from "../../core/kernel/call.ts"
import { isToolError, type ToolError } from "../../core/kernel/error.ts"
import { type ErrorKind, httpStatusOf } from "../../core/kernel/error-kinds.ts"
import type { JsonObject } from "../../core/kernel/strict-json.ts"
import type { RequestContext } from "./context.ts"
import type { HttpServerDeps } from "./deps.ts"
import { sendEarly } from "./send.ts"

/** Serves one request that passed the gate. */
export type Serve = (request: IncomingMessage, response: ServerResponse, context: RequestContext) => void

const COMMON_HEADERS = Object.entries(REPLY_HEADERS)

/** What the door of one listening server is made of. */
export interface DoorOptions {
  readonly deps: HttpServerDeps
  readonly gate: GateOptions
  readonly serve: Serve
  /** Aborts when the server begins to end. */
  readonly ending: AbortSignal
}

/**
 * The listener of the HTTP server: the gate in its fixed order, then the strict body reader, then Express (spec doors.md
 * §2.2). It stands before Express, because a framework's path parser must not meet a target that was not checked.
 */
export function createDoor(options: DoorOptions): RequestListener {
  return (request, response) => {
    enter(request, response, options).catch((error: unknown) => {
      options.deps.telemetry.fault(error, { requestId: String(response.getHeader("X-Request-Id")) })
      response.destroy()
    })
  }
}

async function enter(request: IncomingMessage, response: ServerResponse, options: DoorOptions): Promise<void> {
  const { deps } = options
  const id = requestId(request.rawHeaders, () => deps.ids.token())
  for (const [name, value] of COMMON_HEADERS) response.setHeader(name, value)
  response.setHeader("X-Request-Id", id)
  response.setHeader("Holdfast-Schema-Hash", deps.schemaHash)
  const draining = options.gate.draining()
  if (draining) response.setHeader("Connection", "close")
  try {
    const admission = await admit(gateRequest(request), options.gate)
    for (const [name, value] of Object.entries(admission.headers)) response.setHeader(name, value)
    if (admission.outcome === "preflight") return await sendEarly(request, response, { status: 204 })
    if (admission.outcome === "refused") {
      noteDenied(deps, admission.error, {
        requestId: id,
        address: clientAddress(gateRequest(request), options.gate.trustProxy),
      })
      return await refuse(request, response, admission)
    }
    await serveAdmitted({ request, response, id, admitted: admission }, options)
  } catch (error) {
    deps.telemetry.fault(error, { requestId: id })
    if (response.headersSent) response.destroy()
    else await sendEarly(request, response, { status: 500, json: refusalBody(internalError(id)) })
  }
}

/** Whom the door lets in: what an operator asks about when a client stays outside. */
const DENIALS: ReadonlySet<ErrorKind> = new Set<ErrorKind>(["unauthenticated", "host_denied", "origin_denied"])

/** No call was made, so no line of a call tells of it. */
function noteDenied(
  { telemetry }: HttpServerDeps,
  { kind, details }: ToolError,
  { requestId, address }: { readonly requestId: string; readonly address: string },
): void {
  if (!DENIALS.has(kind)) return
  const refused = { request_id: requestId, door: "http", error_kind: kind }
  const hasReason = details !== undefined && "reason" in details
  const why = hasReason ? { ...refused, reason: String(details.reason) } : refused
  telemetry.note("refused", { ...why, address })
}

function gateRequest(request: IncomingMessage) {
  return {
    method: request.method ?? "",
    rawTarget: request.url ?? "",
    rawHeaders: request.rawHeaders,
    remoteAddress: request.socket.remoteAddress,
  }
}

interface Entered {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly admitted: Admitted
}

async function serveAdmitted(entered: Entered, options: DoorOptions): Promise<void> {
  const { request, response, admitted, id } = entered
  let body: JsonObject
  try {
    body = admitted.route.method === "POST" ? await readRequest(request, response) : {}
  } catch (error) {
    if (error instanceof BodyLost) return
    if (!isToolError(error)) throw error
    return await refuse(request, response, { error, route: admitted.route })
  }
  options.serve(request, response, {
    admitted,
    requestId: id,
    search: searchOf(request.url ?? ""),
    body,
    receivedAt: options.deps.clock.monotonic(),
    signal: lostConnection(response),
    ending: options.ending,
    deps: options.deps,
  })
}

function searchOf(target: string): string {
  const at = target.indexOf("?")
  return at === -1 ? "" : target.slice(at + 1)
}

async function readRequest(request: IncomingMessage, response: ServerResponse): Promise<JsonObject> {
  const untyped = onlyHeader(request.rawHeaders, "content-type") === undefined
  if (untyped && !announcesBody(request.rawHeaders)) return {}
  if (onlyHeader(request.rawHeaders, "expect")?.toLowerCase() === "100-continue") response.writeContinue()
  return readJsonBody(await readBody(request))
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: { readonly error: ToolError; readonly route?: Route },
): Promise<void> {
  const { error, route } = refusal
  // An MCP client understands a refused body only as JSON-RPC; every earlier refusal is plain HTTP to it.
  const isBodyFault = error.kind === "invalid_json" || error.kind === "payload_too_large"
  const json = route?.id === "mcp" && isBodyFault ? renderBodyFault(error).body : refusalBody(error)
  await sendEarly(request, response, { status: httpStatusOf(error.kind), headers: refusalHeaders(error), json })
}

/** `close` also fires after a normal end, which is no loss (spec doors.md §2.6). */
function lostConnection(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.on("close", () => {
    if (!response.writableFinished) controller.abort("client_gone" satisfies AbortReason)
  })
  return controller.signal
}
