import type { IncomingMessage, ServerResponse } from "node:http"
import express, { type Response, type Router } from "express"
import type { Admitted } from "../../adapters/http/gate.ts"
import { JSON_CONTENT_TYPE } from "../../adapters/http/reply.ts"
import type { RequestContext } from "./context.ts"
import type { Serve } from "./door.ts"
import { answerError, answerUnknownRoute } from "./errors.ts"

/**
 * The Express application behind the gate: the routers, then one answer for what none serves and one for what any throws.
 * It parses no body, mints no ETag and trusts no proxy; the gate has done all that.
 */
export function createApp(routers: readonly Router[]): Serve {
  const contexts = new WeakMap<IncomingMessage, RequestContext>()
  const app = express()
  app.disable("x-powered-by")
  app.set("etag", false)
  app.set("query parser", false)
  app.enable("case sensitive routing")
  app.enable("strict routing")
  app.response.json = sendJson
  app.use((request, response, next) => {
    const context = contexts.get(request)
    if (context) {
      response.locals.holdfast = context
      request.body = context.body
    }
    next()
  })
  for (const router of routers) app.use(router)
  app.use(answerUnknownRoute)
  app.use(answerError)
  return (request: IncomingMessage, response: ServerResponse, context: RequestContext) => {
    contexts.set(request, context)
    // Most paths are plain already, and Express leaves those alone.
    if (/[%?]/.test(request.url ?? "")) request.url = canonicalPath(context.admitted)
    app(request, response)
  }
}

/** Express's own asks on every reply for charsets, ETags and freshness, none of which a reply here has. */
function sendJson(this: Response, body: unknown): Response {
  const text = JSON.stringify(body)
  this.setHeader("Content-Type", JSON_CONTENT_TYPE)
  this.setHeader("Content-Length", Buffer.byteLength(text))
  this.end(text)
  return this
}

/** The path as Express shall match it: literals as the gate matched them, parameters encoded again, no query. */
function canonicalPath(admitted: Admitted): string {
  return admitted.route.pattern.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(admitted.params[name] ?? ""),
  )
}
