import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import type { Execution } from "./execute.ts"
import type { StartSpec } from "./runner.ts"

/** Where an execution runs, as its Runner is told. */
export type ExecutionPlace = Pick<StartSpec, "cwd" | "reach">

/**
 * On the named resource, else beneath the Project's root (spec exec-and-jobs.md §2). A directory that nobody named is the resource's
 * default, else its login directory, `""`. Throws `capability_unavailable`.
 */
export function placeOfExecution(
  { ports }: Pick<Call, "ports">,
  { resource: name, cwd }: Pick<Execution, "resource" | "cwd">,
): ExecutionPlace {
  if (name === undefined) return { cwd }
  const resource = ports.shells.settings.resources.get(name)
  if (resource === undefined) {
    throw new ToolError(
      "capability_unavailable",
      "The Runner of this Project has no resource of that name. Leave the resource out to run on the Project host.",
      { details: { reason: "resource" }, executionState: "not_started" },
    )
  }
  const { host, defaultCwd = "" } = resource
  return { cwd: cwd === "." ? defaultCwd : cwd, reach: { kind: "ssh", host } }
}

/** How the directory of an execution is shown. */
export const shownCwd = (cwd: string): string => (cwd === "" ? "~" : cwd)
