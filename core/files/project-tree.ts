import type { Call, CallPorts } from "../kernel/call.ts"
import type { ProjectFs, ProjectTree } from "./fs.ts"

/** What the file tools use of a call. */
export interface FileCall
  extends Pick<Call, "callId" | "invocationId" | "requireProject" | "deadline" | "signal" | "budget" | "pathGuard"> {
  readonly ports: Pick<CallPorts, "store" | "clock" | "secrets">
  runner(): { readonly fs: ProjectFs }
}

/** Whether an absolute path is a directory or lies below it, by components. */
const contains = (directory: string, path: string): boolean =>
  path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`)

/**
 * The tree that a call's Project works in. Its write lock is that of the outermost registered root that contains it, so
 * that nested Projects exclude each other (files-and-git.md §4.4).
 * @throws ToolError `project_required`, `storage_unavailable`.
 */
export async function projectTree(
  call: Pick<FileCall, "requireProject" | "ports" | "pathGuard">,
): Promise<ProjectTree> {
  const project = call.requireProject()
  const roots = await call.ports.store.read((tx) => tx.projects.liveRoots(project.clientId))
  const outermost = roots
    .filter(({ root }) => contains(root, project.root))
    .reduce((best, candidate) => (candidate.root.length < best.root.length ? candidate : best), project)
  return {
    project: project.slug,
    root: project.root,
    treePk: outermost.pk,
    ...(project.filePolicy === undefined ? {} : { filePolicy: project.filePolicy }),
    ...(call.pathGuard === undefined ? {} : { guard: call.pathGuard }),
  }
}
