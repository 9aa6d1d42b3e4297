import { z } from "zod"
import { ToolError } from "../kernel/error.ts"
import { hasControlCharacter, textSchema } from "../kernel/text-schema.ts"
import type { ExecutionContext } from "./record.ts"

const MAX_PATH_BYTES = 4096
const RESOURCE = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/
const DRIVE = /^[A-Za-z]:/
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/|^file:/

/** Input form of a Session's execution defaults (spec sessions.md §4): bounds only, the lexical rules are `checkContext`'s. */
export const executionContextInputSchema = z.strictObject({
  default_cwd: textSchema(1, 4096).describe("Default folder, relative to the project root.").optional(),
  default_shell: z.enum(["sh", "bash"]).describe("Default shell of commands.").optional(),
  resource: textSchema(1, 80).describe("SSH resource that commands run on.").optional(),
})
/** A parsed `executionContextInputSchema`. */
export type ExecutionContextInput = z.infer<typeof executionContextInputSchema>

/** Execution defaults in outputs. */
export const executionContextOutputSchema = z.object({
  default_cwd: textSchema(0, 4096).describe("Default folder of commands.").optional(),
  default_shell: z.enum(["sh", "bash"]).describe("Default shell of commands.").optional(),
  resource: textSchema(0, 80).describe("SSH resource that commands run on.").optional(),
})

/** Why an execution default is refused, the first that holds in this order (spec sessions.md §4). */
export type ContextFault = "too_long" | "control" | "absolute" | "uri" | "backslash" | "traversal" | "name"

function remoteCwdFault(cwd: string): ContextFault | undefined {
  if (Buffer.byteLength(cwd, "utf8") > MAX_PATH_BYTES) return "too_long"
  return hasControlCharacter(cwd) ? "control" : undefined
}

function projectCwdFault(cwd: string): ContextFault | undefined {
  const general = remoteCwdFault(cwd)
  if (general !== undefined) return general
  if (cwd.startsWith("/") || cwd.startsWith("~") || DRIVE.test(cwd)) return "absolute"
  if (URI.test(cwd)) return "uri"
  if (cwd.includes("\\")) return "backslash"
  return cwd.split("/").includes("..") ? "traversal" : undefined
}

/** Drops empty and `.` segments; nothing left is the root, `.`. White space is part of a name. */
function normalisedCwd(cwd: string): string {
  const kept = cwd.split("/").filter((segment) => segment !== "" && segment !== ".")
  return kept.length === 0 ? "." : kept.join("/")
}

function refused(field: keyof ExecutionContext, reason: ContextFault): ToolError<"invalid_execution_context"> {
  return new ToolError(
    "invalid_execution_context",
    `The execution context was not accepted: ${field} (${reason}). Nothing changed. Send a corrected ${field} or leave it out.`,
    { details: { field, reason } },
  )
}

/**
 * The stored form of execution defaults, checked lexically only: existence, links and the resource itself are checked at
 * use by the Runner (spec sessions.md §4). With a resource, `default_cwd` is a remote path and stays as given.
 * @throws ToolError `invalid_execution_context`
 */
export function checkContext(input: ExecutionContextInput): ExecutionContext {
  const { default_cwd: cwd, default_shell, resource } = input
  if (resource !== undefined && (!RESOURCE.test(resource) || resource.includes(".."))) throw refused("resource", "name")
  if (cwd !== undefined) {
    const fault = resource === undefined ? projectCwdFault(cwd) : remoteCwdFault(cwd)
    if (fault !== undefined) throw refused("default_cwd", fault)
  }
  return {
    ...(cwd === undefined ? {} : { default_cwd: resource === undefined ? normalisedCwd(cwd) : cwd }),
    ...(default_shell === undefined ? {} : { default_shell }),
    ...(resource === undefined ? {} : { resource }),
  }
}

/** Whether a context sets nothing. */
export function isEmptyContext(context: ExecutionContext): boolean {
  return context.default_cwd === undefined && context.default_shell === undefined && context.resource === undefined
}

/** Whether two stored contexts set the same. */
export function sameContext(one: ExecutionContext, other: ExecutionContext): boolean {
  return (
    one.default_cwd === other.default_cwd &&
    one.default_shell === other.default_shell &&
    one.resource === other.resource
  )
}
