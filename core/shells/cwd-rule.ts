import { ToolError } from "../kernel/error.ts"

/** Whether an absolute, normalised path is one of the roots or lies below one. */
export function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || root === "/" || path.startsWith(`${root}/`))
}

/** A bound shell of this machine went where its commands may not run; its state is kept (spec shells.md §11). */
export function requireCwd(cwd: string, roots: readonly string[]): void {
  if (isBelow(cwd, roots)) return
  throw new ToolError(
    "shell_cwd_denied",
    "The shell is outside its Project, the allowed roots and the temporary directory; nothing was started. Repeat with reset_cwd: true.",
    { details: { cwd }, executionState: "not_started" },
  )
}
