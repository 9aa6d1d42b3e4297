import type { WorkflowSession } from "../../sessions/record.ts"
import type { ShellSettings } from "../../shells/settings.ts"
import type { AnyToolDefinition } from "../definition.ts"
import { ToolError } from "../error.ts"
import type { ParsedInput } from "./parse-call.ts"

/**
 * Step 5: fills absent inherited fields from the business Session's execution context, one by one; an explicit argument
 * wins (spec kernel.md §4, sessions.md §4). @throws `unsupported_resource`, `capability_unavailable`; never falls back to
 * the Project host.
 */
export function applyDefaults(
  settings: Pick<ShellSettings, "resources">,
  definition: AnyToolDefinition,
  { input, business }: { readonly input: ParsedInput; readonly business: WorkflowSession | undefined },
): ParsedInput {
  if (definition.resource === "ignores" && business === undefined) return input
  const filled = business === undefined ? input : withDefaults(definition, input, business)
  const ofSession = input.resource === undefined
  requireReachable(settings, definition, { resource: filled.resource ?? business?.context.resource, ofSession })
  return filled
}

function withDefaults(definition: AnyToolDefinition, input: ParsedInput, { context }: WorkflowSession): ParsedInput {
  const defaults = { cwd: context.default_cwd, shell: context.default_shell, resource: context.resource }
  const added = definition.inherits.filter((field) => input[field] === undefined && defaults[field] !== undefined)
  if (added.length === 0) return input
  return { ...input, ...Object.fromEntries(added.map((field) => [field, defaults[field]])) }
}

/** Some tools are routed to named resources; any other call that names one cannot be served. */
function requireReachable(
  { resources }: Pick<ShellSettings, "resources">,
  definition: AnyToolDefinition,
  { resource, ofSession }: { readonly resource: unknown; readonly ofSession: boolean },
): void {
  if (resource === undefined || definition.resource === "ignores") return
  if (definition.resource === "rejects")
    throw new ToolError(
      "unsupported_resource",
      `${definition.name} runs on the Project host alone, and this Session names a resource. Use a Session without one.`,
      { executionState: "not_started", ...(typeof resource === "string" ? { details: { resource } } : {}) },
    )
  if (typeof resource === "string" && resources.has(resource)) return
  throw new ToolError(
    "capability_unavailable",
    ofSession
      ? "This Session's execution context names a resource that the Runner of this Project does not have. Use a Session without a resource to run on the Project host."
      : "The Runner of this Project has no resource of that name. Leave the resource out to run on the Project host.",
    { details: { reason: "resource" }, executionState: "not_started" },
  )
}
