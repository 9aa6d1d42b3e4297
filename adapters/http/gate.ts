import type { Caller } from "../../core/access/principal.ts"
import { isToolError, ToolError } from "../../core/kernel/error.ts"
import { bearerToken } from "./bearer.ts"
import { checkContentLength } from "./body-limit.ts"
import { clientAddress } from "./client-address.ts"
import { corsHeaders, isPreflight, preflightHeaders } from "./cors.ts"
import type { Exposure } from "./exposure.ts"
import { checkHost } from "./host-rule.ts"
import { checkMediaType } from "./media-type.ts"
import { checkOrigin } from "./origin-rule.ts"
import type { RateLimits } from "./rate.ts"
import type { RawHeaders } from "./raw-headers.ts"
import { refusalHeaders } from "./reply.ts"
import { type PathMatch, type Route, type RouteTable, routeFor } from "./route-table.ts"

/** What the gate looks at, as the runtime received it and before anything normalised it. */
export interface GateRequest {
  readonly method: string
  /** The request target of the request line. */
  readonly rawTarget: string
  readonly rawHeaders: RawHeaders
  readonly remoteAddress: string | undefined
}

/** What one server's gate compares against. */
export interface GateOptions {
  readonly exposure: Exposure
  readonly routes: RouteTable
  /** Proxies in front of the server whose `X-Forwarded-For` is believed; 0 = none. */
  readonly trustProxy: number
  readonly rates: RateLimits
  /** Whether the server has begun to shut down. */
  readonly draining: () => boolean
  /** Resolves a credential to its caller; throws `unauthenticated` (spec kernel.md §2.2). */
  readonly authenticate: (token: string) => Promise<Caller>
}

/** What the gate decided. `headers` belong on the reply, whatever it will be. */
export type Admission =
  | { readonly outcome: "preflight"; readonly headers: HeaderRecord }
  | { readonly outcome: "refused"; readonly error: ToolError; readonly headers: HeaderRecord; readonly route?: Route }
  | Admitted

/** A request that passed steps 2–10 of the gate; its body, if any, may be read now. */
export interface Admitted {
  readonly outcome: "admitted"
  readonly headers: HeaderRecord
  readonly route: Route
  /** Decoded values of the route's parameters. */
  readonly params: Readonly<Record<string, string>>
  /** Present on every route that needs a credential. */
  readonly caller?: Caller
  readonly address: string
}

type HeaderRecord = Readonly<Record<string, string>>

/**
 * Steps 2–10 of the gate (spec doors.md §2.2) in their fixed order; the first failure answers. Reads no body byte and
 * touches neither ledger nor audit.
 */
export async function admit(request: GateRequest, options: GateOptions): Promise<Admission> {
  const host = checkHost(request, options.exposure.allowedHosts)
  if (host) return refused(host)
  const { origin, error } = checkOrigin(request.rawHeaders, options.exposure.allowedOrigins)
  if (error) return refused(error)
  if (origin !== undefined && isPreflight(request.method, request.rawHeaders))
    return { outcome: "preflight", headers: preflightHeaders(origin) }
  const cors = corsHeaders(origin)
  const match = options.routes(request.rawTarget)
  if (!match) return refused(routeNotFound(), { headers: cors })
  return admitToPath(request, options, { match, cors })
}

async function admitToPath(
  request: GateRequest,
  options: GateOptions,
  found: { readonly match: PathMatch; readonly cors: HeaderRecord },
): Promise<Admission> {
  const { match, cors } = found
  const [first] = match.routes
  const route = routeFor(match, request.method)
  const at = { headers: cors, route: route ?? first }
  const address = clientAddress(request, options.trustProxy)
  const access = first.auth === "bearer" ? await authenticated(request, options, address) : {}
  if (access.error) return refused(access.error, at)
  if (!route) return refused(methodNotAllowed(), { ...at, allow: match.routes.map((known) => known.method) })
  const limited = access.caller && options.rates.admit(access.caller.principal.id)
  const error = limited ?? (route.method === "POST" ? checkBodyHeaders(request.rawHeaders) : undefined)
  if (error) return refused(error, at)
  const caller = access.caller ? { caller: access.caller } : {}
  return { outcome: "admitted", headers: cors, route, params: match.params, address, ...caller }
}

/** Step 6, with the second half of step 8: who fails too often from one address is told to wait. */
async function authenticated(
  request: GateRequest,
  options: GateOptions,
  address: string,
): Promise<{ readonly caller?: Caller; readonly error?: ToolError }> {
  if (options.draining()) return { error: shuttingDown() }
  const found = bearerToken(request.rawHeaders)
  if (found.error) return { error: options.rates.failed(address) ?? found.error }
  try {
    return { caller: await options.authenticate(found.token) }
  } catch (error) {
    if (!isToolError(error)) throw error
    if (error.kind !== "unauthenticated") return { error }
    return { error: options.rates.failed(address) ?? error }
  }
}

function checkBodyHeaders(rawHeaders: RawHeaders): ToolError | undefined {
  return checkMediaType(rawHeaders) ?? checkContentLength(rawHeaders)
}

function refused(
  error: ToolError,
  context: { readonly headers?: HeaderRecord; readonly route?: Route; readonly allow?: readonly string[] } = {},
): Admission {
  const route = context.route ? { route: context.route } : {}
  return {
    outcome: "refused",
    error,
    headers: { ...context.headers, ...refusalHeaders(error, context.allow) },
    ...route,
  }
}

/** The refusal of a path that is none of the routes. */
export function routeNotFound(): ToolError {
  return new ToolError(
    "route_not_found",
    "There is no such path here. Tools are POST /tools/{name}, MCP is POST /mcp, and /openapi.json lists the rest; case counts.",
  )
}

function methodNotAllowed(): ToolError {
  return new ToolError("method_not_allowed", "That path does not answer this method. Use one named in Allow.")
}

/** The refusal of new work while the server ends. */
export function shuttingDown(): ToolError {
  return new ToolError("shutting_down", "The server is shutting down. Send the call again after retry_after_ms.", {
    retryAfterMs: 1000,
  })
}
