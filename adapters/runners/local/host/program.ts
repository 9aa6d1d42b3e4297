import { accessSync, constants, statSync } from "node:fs"
import { isAbsolute } from "node:path"

/** Where a program is, or why none can be run. */
export type FoundProgram =
  | {
      readonly found: true /** Absolute, or relative to the child's working directory with a `/` in it. */
      readonly file: string
    }
  | { readonly found: false; readonly reason: "missing" | "not_executable" }

/**
 * What a child in `directory` would run under `name`: a name with `/` is a path, absolute or from that directory, any other
 * is looked up in `searchPath`, whose relative members count from there too (spec exec-and-jobs.md §2).
 */
export function locateProgram(
  name: string,
  { directory, searchPath }: { readonly directory: string; readonly searchPath: string },
): FoundProgram {
  const candidates = name.includes("/")
    ? [name]
    : searchPath.split(":").map((folder) => `${folder === "" ? "." : folder.replace(/\/+$/, "")}/${name}`)
  let present = false
  for (const file of candidates) {
    // Not normalised: `..` is what the system makes of it.
    const kind = kindOf(isAbsolute(file) ? file : `${directory}/${file}`)
    if (kind === "program") return { found: true, file }
    present ||= kind === "other"
  }
  return { found: false, reason: present ? "not_executable" : "missing" }
}

/** Where a program is found in a search path of absolute folders; `undefined` when it is not there. */
export function findProgram(name: string, searchPath: string): string | undefined {
  const found = locateProgram(name, { directory: ".", searchPath })
  return found.found ? found.file : undefined
}

function kindOf(path: string): "program" | "other" | "missing" {
  try {
    const facts = statSync(path, { throwIfNoEntry: false })
    if (facts === undefined) return "missing"
    if (!facts.isFile()) return "other"
  } catch {
    return "missing"
  }
  try {
    accessSync(path, constants.X_OK)
    return "program"
  } catch {
    return "other"
  }
}
