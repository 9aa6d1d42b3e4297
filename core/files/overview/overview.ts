import type { z } from "zod"
import type { Git } from "../../git/git.ts"
import { type GitCall, gitRun, gitTree } from "../../git/observe.ts"
import { isToolError, ToolError } from "../../kernel/error.ts"
import type { ProjectFs } from "../fs.ts"
import { parsePath } from "../paths.ts"
import { conflictWarnings } from "./conflict-warnings.ts"
import type { overviewInputSchema, overviewOutputSchema } from "./overview-schema.ts"
import { scanTree } from "./scan.ts"
import { summariseScan } from "./summary.ts"

/** What the overview uses of a call. */
export interface OverviewCall extends Omit<GitCall, "runner"> {
  runner(): { readonly fs: ProjectFs; readonly git: Git; readonly confinement: "anchored" | "checked" }
}

type OverviewOutput = z.output<typeof overviewOutputSchema>

/** The repository at a glance; one that git cannot open is not available, and `git_status` says why. */
async function glanceOf(call: OverviewCall): Promise<OverviewOutput["git"]> {
  try {
    const { branch, ...glance } = await call.runner().git.glance(await gitTree(call), gitRun(call))
    return { available: true, ...(branch === undefined ? {} : { branch: branch.slice(0, 256) }), ...glance }
  } catch (error) {
    if (isToolError(error) && error.kind.startsWith("git_")) return { available: false }
    if (isToolError(error) && error.kind === "not_git_project") return { available: false }
    throw error
  }
}

function refuseCancelled(signal: AbortSignal): void {
  const reason: unknown = signal.aborted ? signal.reason : undefined
  if (reason === undefined || reason === "shutdown") return
  throw new ToolError("cancelled", "The call was cancelled before it had an answer; nothing was changed.")
}

/**
 * What kind of project a tree is, from names only (files-and-git.md §2.6).
 * @throws ToolError `workspace_missing`, `not_found`, `not_directory` and those of path resolution.
 */
export async function projectOverview(
  input: z.output<typeof overviewInputSchema>,
  call: OverviewCall,
): Promise<OverviewOutput> {
  const tree = await gitTree(call)
  const path = parsePath(input.path ?? ".")
  const bounds = { maxDepth: input.max_depth, limit: input.limit, signal: call.signal }
  const [scan, git, warnings] = await Promise.all([
    call.runner().fs.withRoot(tree, (root) => scanTree(root, { tree, path }, bounds)),
    glanceOf(call),
    conflictWarnings(call.runner().fs, tree),
  ])
  refuseCancelled(call.signal)
  const summary = summariseScan(scan)
  return {
    project_types: [...summary.project_types],
    manifests: [...summary.manifests],
    key_files: [...summary.key_files],
    roots: [...summary.roots],
    top_level: [...summary.top_level],
    suggested_next_reads: [...summary.suggested_next_reads],
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    git,
    path_confinement: call.runner().confinement,
    scan: { entries: scan.entries.length, truncated: scan.truncated, skipped: scan.skipped },
  }
}
