import { createServer, type Server, type ServerResponse } from "node:http"
import { setTimeout } from "node:timers/promises"
import { exposureOf } from "../../adapters/http/exposure.ts"
import { createRateLimits } from "../../adapters/http/rate.ts"
import { createRouteTable } from "../../adapters/http/route-table.ts"
import { httpRoutes } from "../../adapters/http/routes.ts"
import { createApp } from "./app.ts"
import type { HttpServerDeps } from "./deps.ts"
import { createDoor } from "./door.ts"
import { fixedRoutes } from "./fixed-routes.ts"
import { createHealth } from "./health.ts"
import { controllerRoutes } from "./operator-routes.ts"

/** A composed HTTP door. */
export interface HttpServer {
  /** Binds and serves; resolves with the bound port. Rejects with Node's error when the port cannot be had. */
  listen(address: { readonly host: string; readonly port: number }): Promise<{ readonly port: number }>
  /** Refuses new calls from now on, tells `/health`, and waits for those in flight (spec doors.md §2.7); ≤ 10 s. */
  drain(): Promise<void>
  /** Ends every connection and frees the port. */
  close(): Promise<void>
}

/** Step 1 of the gate (spec doors.md §2.2). Node checks the two times each 30 s unless told to each second. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep an idle connection, so that none reuses one that is being closed.
  keepAliveTimeout: 75_000,
  // The gate answers a missing Host itself, in its own form.
  requireHostHeader: false,
}

/** Composes gate, Express and controllers into a server that does not listen yet (spec doors.md §2). */
export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const controllers = controllerRoutes()
  const state = { draining: false }
  const ending = new AbortController()
  const server = createServer(LIMITS)
  const answering = new Set<ServerResponse>()
  server.on("request", (_request, response) => {
    answering.add(response)
    response.on("close", () => answering.delete(response))
  })
  return {
    async listen(address) {
      const port = await bind(server, address)
      const { signal } = ending
      const door = composeDoor(deps, { port, controllers, draining: () => state.draining, ending: signal })
      server.on("request", door)
      // A large body is asked for only after the gate has admitted its request.
      server.on("checkContinue", door)
      // An expectation that nobody knows is passed over, so that the gate alone refuses.
      server.on("checkExpectation", door)
      return { port }
    },
    async drain() {
      state.draining = true
      ending.abort()
      await deps.kernel.drain()
      await lastReplies(answering)
      server.closeIdleConnections()
    },
    async close() {
      state.draining = true
      ending.abort()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      if (server.listening) await closed
    },
  }
}

/** How long a reply may take to leave once its call has ended. */
const LAST_REPLIES_MS = 1_000

/** The calls have ended, but their replies are still being rendered and sent. */
async function lastReplies(answering: ReadonlySet<ServerResponse>): Promise<void> {
  const sent = Promise.all(
    [...answering].map((response) => new Promise<void>((resolve) => response.once("close", resolve))),
  )
  const enough = new AbortController()
  const timer = setTimeout(LAST_REPLIES_MS, undefined, { signal: enough.signal }).catch(() => undefined)
  await Promise.race([sent, timer])
  enough.abort()
}

function composeDoor(
  deps: HttpServerDeps,
  running: {
    readonly port: number
    readonly controllers: ReturnType<typeof controllerRoutes>
    readonly draining: () => boolean
    readonly ending: AbortSignal
  },
) {
  const { port, controllers, draining } = running
  const { config, surfaces } = deps
  const exposure = exposureOf(config, port)
  const { operatorRoutes } = controllers
  const health = createHealth({ ...deps, draining })
  return createDoor({
    deps,
    ending: running.ending,
    gate: {
      exposure,
      draining,
      routes: createRouteTable(httpRoutes({ privateDocuments: config.privateDocuments, surfaces, operatorRoutes })),
      trustProxy: config.trustProxy,
      rates: createRateLimits(deps.clock, config.rateLimitPerMinute),
      authenticate: deps.authenticate,
    },
    serve: createApp([controllers.router, fixedRoutes(deps, deps.documents(exposure.serverUrl), health)]),
  })
}

function bind(server: Server, address: { readonly host: string; readonly port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(address.port, address.host.replace(/^\[(.*)\]$/, "$1"), () => {
      server.off("error", reject)
      const bound = server.address()
      resolve(typeof bound === "object" && bound !== null ? bound.port : address.port)
    })
  })
}
