import type { Project } from "../../projects/record.ts"
import type { AnyToolDefinition } from "../definition.ts"
import { ToolError } from "../error.ts"
import type { RuntimeFacts } from "../runtime.ts"

/**
 * Step 5, as far as it concerns the Project: shell text runs only where the configuration lets it (spec kernel.md §9).
 * @throws ToolError `capability_unavailable`
 */
export function requireRawShell(
  { projects }: RuntimeFacts,
  definition: AnyToolDefinition,
  project: Project | undefined,
): void {
  if (definition.rawShell !== true || project === undefined) return
  if (projects.get(project.pk)?.rawShell !== false) return
  throw new ToolError(
    "capability_unavailable",
    "This server's configuration allows no shell text in this Project. Use tools that read and edit files instead.",
    { details: { reason: "raw_shell" }, executionState: "not_started" },
  )
}
