import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import { resourceGeneration } from "./policy.ts"
import type { Place } from "./reach.ts"

/**
 * Where the shell of a Session runs and starts: on the resource that its execution context names, else beneath the Project's
 * root (spec shells.md §11). `cwd` is the argument or the Session's default. Throws `capability_unavailable`.
 */
export async function placeOfSession(
  call: Pick<Call, "ports" | "requireProject" | "requireSession">,
  cwd: string | undefined,
): Promise<Place & { readonly cwd?: string }> {
  const { root } = call.requireProject()
  const { resource: name } = call.requireSession().context
  if (name === undefined) {
    return {
      target: { kind: "local", label: "local" },
      reach: { kind: "local", root },
      cwd: beneath(root, cwd ?? "."),
    }
  }
  const resource = call.ports.shells.settings.resources.get(name)
  const generation = await resourceGeneration(call, name)
  if (resource === undefined || generation === undefined) throw noResource()
  const { host, defaultCwd } = resource
  const start = cwd ?? defaultCwd
  return {
    target: { kind: "ssh", label: name, host, resource: name, resourceGeneration: generation },
    reach: { kind: "ssh", host },
    ...(start === undefined ? {} : { cwd: start }),
  }
}

/** A Project-relative directory as a whole path; the Runner looks whether it lies beneath the root. */
function beneath(root: string, cwd: string): string {
  if (cwd.startsWith("/")) return cwd
  return cwd === "." ? root : `${root}/${cwd}`
}

function noResource(): ToolError<"capability_unavailable"> {
  return new ToolError(
    "capability_unavailable",
    "The Runner of this Project has no resource of that name. Use a Session without a resource.",
    { details: { reason: "resource" }, executionState: "not_started" },
  )
}
