import { ValidateError } from "@tsoa/runtime"
import type { ErrorRequestHandler, RequestHandler } from "express"
import { routeNotFound } from "../../adapters/http/gate.ts"
import { internalError, refusalBody, refusalHeaders } from "../../adapters/http/reply.ts"
import { isToolError, type ToolError } from "../../core/kernel/error.ts"
import { httpStatusOf } from "../../core/kernel/error-kinds.ts"
import { contextOf } from "./context.ts"
import { invalidBody, refusedFaults } from "./validation-error.ts"

/** The last route: a path that the gate knows and nothing serves is answered like an unknown one. */
export const answerUnknownRoute: RequestHandler = () => {
  throw routeNotFound()
}

/** Renders what a route threw: a ToolError as itself, a refused body as `invalid_arguments`, the rest as `internal_error`. */
export const answerError: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { deps, requestId } = contextOf(request)
  const known = refusalOf(error, deps.schemaHash)
  if (!known) deps.telemetry.fault(error, { requestId })
  if (response.headersSent) {
    response.destroy()
    return
  }
  const refusal = known ?? internalError(requestId)
  response.status(httpStatusOf(refusal.kind)).set(refusalHeaders(refusal)).json(refusalBody(refusal))
}

function refusalOf(error: unknown, schemaHash: string): ToolError | undefined {
  if (isToolError(error)) return error
  return error instanceof ValidateError ? invalidBody(refusedFaults(error.fields), schemaHash) : undefined
}
