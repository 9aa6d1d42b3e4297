import type { EditConflict, ProjectFs, ProjectTree } from "../fs.ts"
import { MAX_WARNINGS } from "./overview-schema.ts"

const MAX_PATHS = 8
const PATH_CHARS = 80

/** One sentence a batch of edits that a crash left half done and that could not be undone (files-and-git.md §4.4). */
export async function conflictWarnings(fs: ProjectFs, tree: ProjectTree): Promise<readonly string[]> {
  const { guard } = tree
  const conflicts = await fs.conflicts(tree)
  return conflicts
    .map(({ paths }) => paths.filter((path) => guard?.(path, "read") ?? true))
    .filter((paths) => paths.length > 0)
    .slice(0, MAX_WARNINGS)
    .map(warningOf)
}

function warningOf(paths: EditConflict["paths"]): string {
  const named = paths.slice(0, MAX_PATHS).map(shortened)
  const more = paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more` : ""
  return `An edit was interrupted and could not be undone, because its files were changed meanwhile: ${named.join(", ")}${more}. Compare them with what was meant; holdfast doctor tells the operator where the originals are.`
}

function shortened(path: string): string {
  const characters = [...path]
  return characters.length > PATH_CHARS ? `…${characters.slice(-PATH_CHARS).join("")}` : path
}
