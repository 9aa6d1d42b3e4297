import type { Caller } from "../../access/principal.ts"
import { missingScopes, type Scope } from "../../access/scopes.ts"
import { ToolError } from "../error.ts"
import { isGatewayName } from "../gateways.ts"
import type { CallRequest } from "../kernel.ts"
import type { ProjectedTool } from "../projection.ts"
import { unwrapGateway } from "./gateway.ts"
import type { KernelParts } from "./parts.ts"
import { unknownTool } from "./unknown-tool.ts"

/** The tool that a call is of, and its unparsed arguments. */
export interface ResolvedTool {
  readonly tool: ProjectedTool
  readonly args: unknown
}

/**
 * Steps 1, 2a, 2b: unwraps a gateway, finds the tool, checks that it is exposed. A name inside a gateway reaches every
 * tool by its own name. @throws `invalid_arguments`, `unknown_tool`, `tool_disabled`, `effect_not_allowed`.
 */
export function resolveTool(parts: KernelParts, request: CallRequest): ResolvedTool {
  const { registry, catalogue } = parts
  const { name, args, gateway } = unwrapGateway(request, registry, catalogue.schemaHash)
  const surface = gateway === undefined ? request.surface : undefined
  const found = isGatewayName(name) ? undefined : registry.find(name, surface)
  if (found === undefined) throw unknownTool(name, { registry, surface, schemaHash: catalogue.schemaHash })
  if (found.closed !== undefined) throw toolDisabled(name, found.closed)
  const { effect } = found.tool.definition
  if (gateway === "call_read_tool" && effect !== "observe") {
    const isListed = registry.find(name, request.surface) !== undefined
    throw effectNotAllowed(name, effect, isListed)
  }
  return { tool: found.tool, args }
}

function toolDisabled(name: string, reason: "disabled" | "feature_off"): ToolError {
  const why = reason === "disabled" ? "is disabled by this server's configuration" : "needs a feature that is off here"
  return new ToolError("tool_disabled", `The tool ${name} ${why}. Choose another one from list_tools.`, {
    details: { reason },
  })
}

function effectNotAllowed(tool: string, effect: string, isListed: boolean): ToolError {
  return new ToolError(
    "effect_not_allowed",
    `call_read_tool runs only tools that observe; ${tool} is of effect ${effect}. Use call_tool${isListed ? ` or ${tool} itself` : ""}.`,
    { details: { tool, effect } },
  )
}

/** Steps 2c, 2e: all of the scopes, or `insufficient_scope` naming the missing ones. */
export function requireScopes(caller: Caller, required: readonly Scope[], tool: string): void {
  const missing = missingScopes(required, caller.scopes)
  if (missing.length === 0) return
  throw new ToolError(
    "insufficient_scope",
    `The tool ${tool} needs ${missing.join(", ")}, which this credential lacks. Use a credential that holds it.`,
    { details: { required: [...required], missing: [...missing] } },
  )
}
