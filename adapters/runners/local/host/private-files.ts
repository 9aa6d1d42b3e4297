import { openSync, readdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const SCRIPT = "run-"

/** Opens what the child reads: the text in a private file that has no name any more. */
export function openStdin(directory: string, name: string, text: string): number {
  const path = join(directory, `in-${name}`)
  writeFileSync(path, text, { mode: 0o600, flag: "wx" })
  try {
    return openSync(path, "r")
  } finally {
    unlinkSync(path)
  }
}

/** Puts a script where only this user can read it, for as long as its Job runs (spec exec-and-jobs.md §2). */
export function writeScript(
  directory: string,
  name: string,
  script: { readonly text: string; readonly extension: string },
): string {
  const path = join(directory, `${SCRIPT}${name}.${script.extension}`)
  writeFileSync(path, script.text, { mode: 0o600, flag: "wx" })
  return path
}

/** Removes the script that was written under a name, whatever its language. */
export function removeScripts(directory: string, name: string): void {
  for (const file of namesIn(directory)) if (file.startsWith(`${SCRIPT}${name}.`)) removePrivate(join(directory, file))
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** Removes a file of ours; one that is gone already, or whose directory is, needs no more. */
export function removePrivate(path: string): void {
  rmSync(path, { force: true })
}
