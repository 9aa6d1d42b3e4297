import type { Request } from "express"
import type { Admitted } from "../../adapters/http/gate.ts"
import type { JsonObject } from "../../core/kernel/strict-json.ts"
import type { HttpServerDeps } from "./deps.ts"

/** What the gate found out about one request, and the parts of the server that may serve it. */
export interface RequestContext {
  readonly admitted: Admitted
  readonly requestId: string
  /** What stands behind `?` in the target; no route but a stream looks at it. */
  readonly search: string
  /** The parsed body; `{}` where there was none. */
  readonly body: JsonObject
  /** Monotonic clock when the request had been read, ms. */
  readonly receivedAt: number
  /** Aborts with an `AbortReason` when the connection is lost before the reply. */
  readonly signal: AbortSignal
  /** Aborts when the server begins to end: what would go on for ever ends then. */
  readonly ending: AbortSignal
  readonly deps: HttpServerDeps
}

declare global {
  namespace Express {
    interface Locals {
      /** Set before Express sees the request; no route is reached without it. */
      holdfast?: RequestContext
    }
  }
}

/** The context of a request that Express routes. */
export function contextOf(request: Request): RequestContext {
  const context = request.res?.locals.holdfast
  if (context === undefined) throw new Error("a request reached a route without passing the gate")
  return context
}
