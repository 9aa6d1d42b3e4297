import type { Git, GitTree } from "../git/git.ts"
import type { GitRun } from "../git/run.ts"
import { observeWorkspace, type WorkspaceFacts } from "../git/workspace-facts.ts"
import type { Call } from "../kernel/call.ts"
import { isToolError } from "../kernel/error.ts"
import type { WorkPlace } from "./resolve.ts"

const LONGEST_MS = 10_000
const RESERVE_MS = 5_000

/** What was seen of a workspace before the commit (spec workflow.md §2.2 row 14). */
export interface WorkObservation {
  readonly workspace: WorkspaceFacts
  readonly baselineTree?: string
  /** The baseline was wanted and could not be taken; a Project without git has none and nothing failed. */
  readonly baselineFailed: boolean
}

function treeOf(place: WorkPlace): GitTree {
  if (place.kind === "new") {
    const { realPath } = place.facts
    return { project: "", root: realPath, treePk: realPath, gitAboveRoot: false }
  }
  const { slug, root, pk, gitAboveRoot, filePolicy } = place.project
  return { project: slug, root, treePk: pk, gitAboveRoot, ...(filePolicy === undefined ? {} : { filePolicy }) }
}

type Baseline = Pick<WorkObservation, "baselineTree" | "baselineFailed">

async function observeBaseline(git: Git, tree: GitTree, run: GitRun): Promise<Baseline> {
  try {
    return { baselineTree: (await git.baselineTree(tree, run)).tree, baselineFailed: false }
  } catch (error) {
    if (!isToolError(error)) throw error
    return { baselineFailed: error.kind !== "not_git_project" }
  }
}

/** Looks at the workspace and, for a fresh Session, at the tree its work begins at; a failure becomes a fact, never an error. */
export async function observeWork(
  call: Pick<Call, "deadline">,
  place: WorkPlace,
  fresh: boolean,
): Promise<WorkObservation> {
  const timeoutMs = Math.max(0, Math.min(LONGEST_MS, call.deadline.remaining() - RESERVE_MS))
  const { git } = place.runner
  const tree = treeOf(place)
  const [workspace, baseline] = await Promise.all([
    observeWorkspace(git, tree, { timeoutMs }),
    fresh ? observeBaseline(git, tree, { timeoutMs }) : { baselineFailed: false },
  ])
  return { workspace, ...baseline }
}
