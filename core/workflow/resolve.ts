import { mayAccessProject } from "../access/principal.ts"
import type { Call } from "../kernel/call.ts"
import { ToolError } from "../kernel/error.ts"
import { locateRoot, requireRunner } from "../projects/locate.ts"
import type { Project } from "../projects/record.ts"
import type { Registration } from "../projects/register.ts"
import { requireRegistered } from "../projects/registered.ts"
import type { RootFacts } from "../projects/roots.ts"
import type { Runner } from "../runners/runner.ts"
import type { WorkSource } from "./source.ts"

/** Where the work is going to be: a Project that is registered, or a directory that the commit registers. */
export type WorkPlace =
  | { readonly kind: "registered"; readonly project: Project; readonly runner: Runner; readonly byPath: boolean }
  | { readonly kind: "new"; readonly registration: Registration; readonly facts: RootFacts; readonly runner: Runner }

async function requireDirectory(runner: Runner, project: Project): Promise<void> {
  const { kind } = await runner.roots.inspect(project.root)
  if (kind === "directory") return
  throw new ToolError(
    "workspace_missing",
    `The folder of the Project ${project.slug} is gone. Restore it, or unregister the Project.`,
    { details: { project: project.slug } },
  )
}

/** Rows 7 and 9 for a Project that the call names (spec workflow.md §2.2). */
async function resolveProject(call: Pick<Call, "ports">, named: Project): Promise<WorkPlace> {
  const project = requireRegistered(named)
  const runner = requireRunner(call.ports.runners, project.clientId)
  await requireDirectory(runner, project)
  return { kind: "registered", project, runner, byPath: false }
}

function mismatch(roles: readonly string[]): ToolError<"session_project_mismatch"> {
  return new ToolError(
    "session_project_mismatch",
    "The directory does not belong to the Project of the Session that was named. Name its own Project or no Session.",
    { details: { roles: [...roles] } },
  )
}

/** Row 10: the directory is the Project of the resumed Session and of the recorder, or nothing happens. */
function requireSameProject(
  call: Pick<Call, "session" | "recorder" | "bindProject">,
  project: Project | undefined,
): void {
  const { session, recorder } = call
  if (session !== undefined && session.projectPk !== project?.pk) throw mismatch(["business", "request"])
  if (project !== undefined) call.bindProject(project)
  else if (recorder !== undefined) throw mismatch(["recorder", "request"])
}

type PathSource = Extract<WorkSource, { readonly kind: "path" }>

const accessDenied = (): ToolError<"project_access_denied"> =>
  new ToolError(
    "project_access_denied",
    "This credential is limited to listed Projects, and this directory is none of them. Name a listed Project.",
  )

/**
 * A credential that is limited to listed Projects names a directory by the root of one of them, as list_projects shows it:
 * nothing else is looked at, so that its answers say nothing of what is on the disk.
 */
async function requireListed(call: Call, { clientId, path }: Omit<PathSource, "kind">): Promise<void> {
  if (call.caller.projects === "*") return
  const root = `/${path
    .split("/")
    .filter((component) => component !== "" && component !== ".")
    .join("/")}`
  const live = await call.ports.store.read((tx) => tx.projects.liveByRoot(clientId, root))
  if (live === undefined || !mayAccessProject(call.caller, live.slug)) throw accessDenied()
}

/**
 * Rows 7 to 10 for a directory. One that is registered already was allowed when it was registered, so that a Project the
 * operator registered outside the allowed roots can be named by its path, too.
 */
async function resolvePath(call: Call, { clientId, path }: PathSource): Promise<WorkPlace> {
  const { runners, store, runtime } = call.ports
  const runner = requireRunner(runners, clientId)
  await requireListed(call, { clientId, path })
  const { realPath } = await runner.roots.inspect(path)
  const live = await store.read((tx) => tx.projects.liveByRoot(clientId, realPath))
  const project = live !== undefined && mayAccessProject(call.caller, live.slug) ? live : undefined
  const request = { clientId, path, allowedRoots: runtime.allowedRoots, operator: project !== undefined }
  const facts = await locateRoot(runners, request)
  if (facts.kind === "missing") {
    throw new ToolError("path_not_found", "There is no such directory. Send the path of an existing one.")
  }
  if (project === undefined && call.caller.projects !== "*") throw accessDenied()
  requireSameProject(call, project)
  if (project !== undefined) return { kind: "registered", project, runner, byPath: true }
  return { kind: "new", registration: { ...request, create: false, gitInit: false }, facts, runner }
}

/**
 * Finds where the work is to be; changes nothing (spec workflow.md §2.2 rows 7–10).
 * @throws ToolError `unknown_client_id`, `runner_unavailable`, `path_not_allowed`, `path_not_found`, `workspace_missing`,
 * `project_unavailable`, `project_access_denied`, `session_project_mismatch`, `capability_unavailable`
 */
export async function resolveWork(call: Call, source: WorkSource): Promise<WorkPlace> {
  switch (source.kind) {
    case "project":
      return await resolveProject(call, call.requireProject())
    case "session":
      if (call.project !== undefined) return await resolveProject(call, call.project)
      throw new ToolError(
        "invalid_arguments",
        "This Session has no Project to continue in. Leave session_id out and name a project, or client_id and path.",
        {
          details: { field: "project", fields: [{ path: "project", code: "required" }], missing_fields: ["project"] },
        },
      )
    case "path":
      return await resolvePath(call, source)
    case "worktree":
      throw new ToolError(
        "capability_unavailable",
        "Managed worktrees are not available on this server. Use mode checkout.",
        { details: { reason: "worktree" } },
      )
  }
}
