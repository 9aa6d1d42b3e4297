import { ToolError } from "../../kernel/error.ts"
import type { RootHandle } from "../fs.ts"
import { componentsOf, type ProjectPath } from "../paths.ts"
import { fold } from "../policy.ts"
import type { Change } from "./changes.ts"
import { attempt, type ChangeFailure } from "./failure.ts"

/** Where a change goes, after resolution and policy. */
export interface Target {
  readonly index: number
  readonly path: ProjectPath
  readonly resolvedPath: ProjectPath
  /** Device and inode of an existing file; absent for a name that is still free. */
  readonly identity?: string
  readonly caseTwin: boolean
}

const foldedPath = (path: ProjectPath): string => componentsOf(path).map(fold).join("/")

const isBelow = (path: string, parent: string): boolean => path.startsWith(`${parent}/`)

/** Whether two changes touch the same file, the same missing name, or one creates the other's parent. */
function overlaps(a: Target, b: Target): boolean {
  if (a.identity !== undefined || b.identity !== undefined) return a.identity === b.identity
  const left = foldedPath(a.resolvedPath)
  const right = foldedPath(b.resolvedPath)
  return left === right || isBelow(left, right) || isBelow(right, left)
}

async function locate(root: RootHandle, change: Change, at: { index: number; path: ProjectPath }): Promise<Target> {
  if (change.kind === "create") {
    const { resolvedPath, caseTwin } = await root.freeName(at.path)
    return { ...at, resolvedPath, caseTwin: caseTwin !== undefined }
  }
  const { resolvedPath, identity } = await root.resolve(at.path, "write")
  return { ...at, resolvedPath, identity, caseTwin: false }
}

/**
 * Resolves every change whose path is well-formed; a change that cannot be resolved, or that overlaps an earlier one
 * (`overlapping_changes`), is added to `failures`.
 */
export async function locateTargets(
  root: RootHandle,
  changes: readonly Change[],
  state: { readonly paths: readonly (ProjectPath | undefined)[]; readonly failures: ChangeFailure[] },
): Promise<readonly Target[]> {
  const targets: Target[] = []
  for (const [index, change] of changes.entries()) {
    const path = state.paths[index]
    if (path === undefined) continue
    const located = await attempt(() => locate(root, change, { index, path }))
    if ("error" in located) {
      state.failures.push({ index, path, error: located.error })
      continue
    }
    const other = targets.find((earlier) => overlaps(earlier, located.value))
    if (other === undefined) targets.push(located.value)
    else state.failures.push({ index, path, error: overlapError(other) })
  }
  return targets
}

const overlapError = (other: Target): ToolError =>
  new ToolError("overlapping_changes", "Two changes touch the same file or name; join them into one change.", {
    details: { other_change_index: other.index },
  })
