import { ToolError } from "../kernel/error.ts"
import type { ProjectPk } from "../kernel/ids.ts"
import type { Tx } from "../store.ts"

/** What ends a registration, and at which time (ms). */
export interface Unregistration {
  readonly pk: ProjectPk
  readonly expectedRevision: number
  readonly at: number
}

/**
 * Ends a registration in the caller's transaction; no file, Session or Job is deleted (spec kernel.md §9). A repeat says
 * `already`. The caller closes its shells.
 * @throws ToolError `project_not_found`, `revision_conflict`, `project_busy`
 */
export async function unregisterProject(
  tx: Tx,
  { pk, expectedRevision, at }: Unregistration,
): Promise<{ unregistered: true; already: boolean }> {
  const project = await tx.projects.byPk(pk)
  if (project === undefined) {
    throw new ToolError("project_not_found", "There is no such Project. Look at list_projects.")
  }
  if (project.unregisteredAt !== undefined) return { unregistered: true, already: true }
  if (project.revision !== expectedRevision) {
    throw new ToolError("revision_conflict", "The Project changed since. Look at list_projects, then repeat.", {
      details: { expected: expectedRevision, actual: project.revision },
    })
  }
  const active = await tx.jobs.active({ projectPk: pk })
  // Commands in live shells end with their shells.
  const jobs = active.filter(({ kind }) => kind !== "shell_command").length
  if (jobs > 0) {
    throw new ToolError("project_busy", `${jobs} Jobs of the Project still run. Stop them or wait, then repeat.`, {
      details: { jobs },
    })
  }
  const ended = { ...project, unregisteredAt: at, updatedAt: at, revision: project.revision + 1 }
  if (await tx.projects.update(ended, project.revision)) return { unregistered: true, already: false }
  throw new ToolError("internal_error", "The Project changed in the same moment. Repeat the call.")
}
