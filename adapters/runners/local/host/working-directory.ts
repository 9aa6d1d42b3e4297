import { closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { isAbsolute, join, relative, sep } from "node:path"
import { ToolError } from "../../../../core/kernel/error.ts"

/** An open directory in which a child starts. */
export interface WorkingDirectory {
  /** What to pass as `cwd`: the open descriptor itself, so that a renamed or replaced path cannot lead elsewhere. */
  readonly path: string
  /** Project-relative physical path. */
  readonly relativePath: string
  close(): void
}

const SENTENCES = {
  missing: "The working directory does not exist. Name an existing folder of the Project, or leave cwd out.",
  not_directory: "The working directory is not a directory. Name a folder of the Project.",
  outside: "The working directory lies outside the Project. Name a folder below the Project root.",
  denied: "The working directory may not be entered. Name another folder of the Project.",
} as const

/**
 * Opens `cwd` beneath the Project root, following links only where they stay inside (spec exec-and-jobs.md §2). An
 * absolute path is taken if it lies under the root. Throws `workspace_missing`, `cwd_invalid`.
 */
export function openWorkingDirectory(root: string, cwd: string): WorkingDirectory {
  const target = isAbsolute(cwd) ? cwd : join(root, cwd)
  if (!isBeneath(root, target)) throw isDirectory(root) ? invalid("outside") : missingRoot()
  const fd = open(target, root)
  try {
    const byNumber = `/proc/self/fd/${fd}`
    const known = physicalPath(byNumber)
    const real = known ?? realpathSync(target)
    if (!isBeneath(root, real)) throw invalid("outside")
    return {
      path: known === undefined ? real : byNumber,
      relativePath: relative(root, real).split(sep).join("/") || ".",
      close: () => closeSync(fd),
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function open(target: string, root: string): number {
  try {
    return openSync(target, constants.O_RDONLY | constants.O_DIRECTORY)
  } catch (error) {
    throw isDirectory(root) ? invalid(reasonOf(error)) : missingRoot()
  }
}

function reasonOf(error: unknown): keyof typeof SENTENCES {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "ENOTDIR") return "not_directory"
  if (code === "EACCES" || code === "EPERM") return "denied"
  return "missing"
}

/** Where an open descriptor is now; `undefined` on systems that do not tell. */
function physicalPath(descriptor: string): string | undefined {
  try {
    return readlinkSync(descriptor)
  } catch {
    return undefined
  }
}

function isBeneath(root: string, path: string): boolean {
  const rest = relative(root, path)
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest))
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function missingRoot(): ToolError<"workspace_missing"> {
  return new ToolError("workspace_missing", "The Project's directory is gone. Restore it, or register the new place.", {
    executionState: "not_started",
  })
}

function invalid(reason: keyof typeof SENTENCES): ToolError<"cwd_invalid"> {
  return new ToolError("cwd_invalid", SENTENCES[reason], { details: { reason }, executionState: "not_started" })
}
