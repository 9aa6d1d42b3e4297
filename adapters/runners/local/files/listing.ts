import { readdirSync } from "node:fs"
import type { DirectoryEntry } from "../../../../core/files/fs.ts"
import { checkPath, compareNames } from "../../../../core/files/paths.ts"
import { isProtectedName } from "../../../../core/files/policy.ts"
import type { Directory, OpenDirectories } from "./directory.ts"
import { guarded } from "./errno.ts"
import { kindOf } from "./stamp.ts"

/** Deno's directory reading is lossy, so there no name with U+FFFD is proven to be a real one (files-and-git.md §1.3). */
const readsLossyNames = (): boolean => "Deno" in globalThis

function isRealName(directories: OpenDirectories, directory: Directory, name: string): boolean {
  if (!name.includes("\uFFFD")) return true
  return !readsLossyNames() && directories.look(directory, name) !== undefined
}

/** Names of an open directory in order of bytes; git's own is left out. */
export function listDirectory(directories: OpenDirectories, directory: Directory): readonly DirectoryEntry[] {
  const entries = guarded(() => readdirSync(directories.self(directory), { withFileTypes: true }))
  return entries
    .filter(({ name }) => !isProtectedName(name))
    .map((entry) => ({
      name: entry.name,
      kind: kindOf(entry),
      addressable:
        checkPath([...directory.components, entry.name].join("/"), "file").path !== undefined &&
        isRealName(directories, directory, entry.name),
    }))
    .sort((a, b) => compareNames(a.name, b.name))
}
