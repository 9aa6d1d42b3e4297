import { ToolError } from "../kernel/error.ts"
import type { Project } from "./record.ts"

/** The Project if its registration is live: work needs one. @throws ToolError `project_unavailable` */
export function requireRegistered(project: Project): Project {
  if (project.unregisteredAt === undefined) return project
  throw new ToolError(
    "project_unavailable",
    `The registration of Project ${project.slug} has ended. Register its folder again, then repeat the call.`,
    { details: { project: project.slug } },
  )
}
