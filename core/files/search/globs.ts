import { ToolError } from "../../kernel/error.ts"
import { GlobSyntaxError } from "../globs/component.ts"
import { compileGlob } from "../globs/glob.ts"

/** Which files a query wants by name. */
export interface GlobFilter {
  /** Whether the file is included and neither it nor a directory above it is excluded. */
  wantsFile(path: string): boolean
  /** Whether a directory is excluded, and with it all below. */
  excludesDirectory(path: string): boolean
}

const invalid = (reason: string, sentence: string): ToolError =>
  new ToolError("invalid_glob", sentence, { details: { reason } })

function checked(glob: string): (path: string) => boolean {
  if (glob.startsWith("!"))
    throw invalid("negated", "A glob starts with `!`; put the pattern into exclude_globs instead.")
  if (glob.startsWith("/")) throw invalid("absolute", "A glob starts with `/`; globs are relative to the Project root.")
  if (/[\0\n]/.test(glob)) throw invalid("control_char", "A glob holds a NUL or a line feed; leave it out.")
  try {
    return compileGlob(glob)
  } catch (error) {
    if (error instanceof GlobSyntaxError) throw invalid("syntax", `A glob cannot be read: ${error.message}.`)
    throw error
  }
}

/**
 * Compiles the globs of a query (files-and-git.md §3).
 * @throws ToolError `invalid_glob` with `details.reason`.
 */
export function compileGlobs(include: readonly string[], exclude: readonly string[]): GlobFilter {
  const includes = include.map(checked)
  const excludes = exclude.map((glob) => checked(glob.replace(/(?<=.)\/+$/, "")))
  const excludedDirectories = new Map<string, boolean>()
  const isExcluded = (path: string): boolean => excludes.some((excluded) => excluded(path))

  const excludesDirectory = (path: string): boolean => {
    if (path === "" || path === "." || excludes.length === 0) return false
    const known = excludedDirectories.get(path)
    if (known !== undefined) return known
    const excluded = excludesDirectory(path.slice(0, Math.max(0, path.lastIndexOf("/")))) || isExcluded(path)
    excludedDirectories.set(path, excluded)
    return excluded
  }

  return {
    excludesDirectory,
    wantsFile: (path) =>
      (includes.length === 0 || includes.some((included) => included(path))) &&
      !excludesDirectory(path.slice(0, Math.max(0, path.lastIndexOf("/")))) &&
      !isExcluded(path),
  }
}
