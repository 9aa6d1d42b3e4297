import { type RequestHandler, Router } from "express"
import { isCallKey } from "../../adapters/http/idempotency-key.ts"
import { ToolError } from "../../core/kernel/error.ts"
import { PRIVACY_PAGE_POLICY } from "../legal/privacy-page.ts"
import { callerOf } from "./authentication.ts"
import { contextOf } from "./context.ts"
import type { HttpServerDeps, ServedDocuments } from "./deps.ts"
import { serveDocument } from "./documents.ts"
import { answerUnknownRoute } from "./errors.ts"
import type { HealthStatus } from "./health.ts"

/** The routes of doors.md §2.1 that no controller serves. */
export function fixedRoutes(
  deps: HttpServerDeps,
  documents: ServedDocuments,
  health: () => Promise<HealthStatus>,
): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.post(["/mcp", "/mcp/:surface"], serveMcp)
  router.delete("/calls/:key", cancelCall)
  router.get("/openapi.json", serveDocument(documents.openapi))
  router.get("/openapi/gpt-actions.json", serveDocument(documents.gptActions))
  router.get("/health", async (_request, response) => {
    const status = await health()
    response.status(status === "ok" ? 200 : 503).json({ status })
  })
  router.get("/legal/privacy", (_request, response) => {
    response.set("Content-Security-Policy", PRIVACY_PAGE_POLICY).type("html").send(deps.config.privacyPage)
  })
  router.get("/.well-known/openai-apps-challenge", serveChallenge(deps.config.openaiAppsChallenge))
  return router
}

const serveMcp: RequestHandler = async (request, response) => {
  const context = contextOf(request)
  const { deps, admitted, body, requestId, receivedAt } = context
  const surface = surfaceOf(admitted.route.pattern, deps)
  await deps.mcp.handle({
    req: request,
    res: response,
    body,
    exchange: { caller: callerOf(context), surface, requestId, receivedAt },
  })
}

function surfaceOf(pattern: string, deps: HttpServerDeps): HttpServerDeps["config"]["surface"] {
  return deps.surfaces.find((surface) => pattern === `/mcp/${surface}`) ?? deps.config.surface
}

/** Foreign and unknown keys are the same answer (spec doors.md §2.6). */
const cancelCall: RequestHandler = (request, response) => {
  const context = contextOf(request)
  const key = context.admitted.params.key ?? ""
  if (!isCallKey(key) || !context.deps.kernel.cancel(callerOf(context), key))
    throw new ToolError(
      "call_not_found",
      "No call with that Idempotency-Key is in flight here. Read the state that it would have changed.",
    )
  response.status(202).json({ cancelled: true })
}

function serveChallenge(text: string | undefined): RequestHandler {
  if (text === undefined) return answerUnknownRoute
  return (_request, response) => {
    response.type("text/plain").send(text)
  }
}
