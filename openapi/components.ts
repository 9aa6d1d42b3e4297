import { ERROR_KINDS, errorKinds } from "../core/kernel/error-kinds.ts"
import { EXECUTION_STATES, RECOVERIES } from "../core/kernel/errors/row.ts"
import type { JsonObject } from "./json.ts"

/** Statuses with which a call may be refused before its handler runs, from the error table (spec kernel.md §6). */
export function refusalStatuses(): readonly number[] {
  const statuses = new Set(errorKinds.map((kind) => ERROR_KINDS[kind].http).filter((status) => status !== 200))
  return [...statuses].sort((a, b) => a - b)
}

const openObject: JsonObject = { type: "object", properties: {}, additionalProperties: true }

/** Shared schemas of the full document. */
export function sharedSchemas(): JsonObject {
  return {
    Attached: { ...openObject, description: "Sidecars of a call, beside its output." },
    ErrorKind: { type: "string", enum: [...errorKinds] },
    Refusal: {
      type: "object",
      properties: {
        success: { type: "boolean", const: false },
        error: { $ref: "#/components/schemas/ToolError" },
        output: openObject,
        attached: { $ref: "#/components/schemas/Attached" },
      },
      required: ["success", "error"],
    },
    ToolError: {
      type: "object",
      properties: {
        kind: { $ref: "#/components/schemas/ErrorKind" },
        message: { type: "string" },
        recovery: { type: "string", enum: [...RECOVERIES] },
        execution_state: { type: "string", enum: [...EXECUTION_STATES] },
        retry_after_ms: { type: "number" },
        details: openObject,
      },
      required: ["kind", "message", "recovery"],
    },
  }
}

/** One response a refusal status. */
export function refusalResponses(): JsonObject {
  return Object.fromEntries(
    refusalStatuses().map((status) => [
      `Refused${status}`,
      {
        description: `Refused with status ${status} before anything ran; error.kind says why.`,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } },
      },
    ]),
  )
}

/** References to every refusal, for one operation. */
export function refusalReferences(): JsonObject {
  return Object.fromEntries(
    refusalStatuses().map((status) => [String(status), { $ref: `#/components/responses/Refused${status}` }]),
  )
}

/** The one way to authenticate (spec doors.md §3.1). */
export const BEARER: JsonObject = { bearer: { type: "http", scheme: "bearer" } }
