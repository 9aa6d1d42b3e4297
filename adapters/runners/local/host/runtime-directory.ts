import { createHash } from "node:crypto"
import { lstatSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"

/**
 * The private place for what must not outlive a boot: pipes and files of commands (spec shells.md §2.1). One a data
 * directory, outside of it; `XDG_RUNTIME_DIR` is not used because it ends with the login.
 */
export function runtimeDirectoryOf(dataDirectory: string): string {
  const digest = createHash("sha256").update(realpathSync(dataDirectory)).digest("hex").slice(0, 10)
  return join(process.platform === "darwin" ? tmpdir() : "/tmp", `holdfast-${userInfo().uid}-${digest}`)
}

/**
 * Makes the host's own folder below it, mode 0700, and removes those that nobody needs any more. Throws when the place is a
 * link, foreign or open to others.
 */
export function openRuntimeDirectory(
  runtimeDirectory: string,
  hostId: string,
  isGone: (hostId: string) => boolean,
): string {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return makeFolder(runtimeDirectory, hostId, isGone)
    } catch (error) {
      // A host that went in this moment took the empty place with it.
      if (!isAbsent(error) || attempt >= MAX_ATTEMPTS) throw error
    }
  }
}

/** Each takes microseconds; hosts that go come one by one. */
const MAX_ATTEMPTS = 1000

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT"
}

function makeFolder(runtimeDirectory: string, hostId: string, isGone: (hostId: string) => boolean): string {
  mkdirSync(runtimeDirectory, { recursive: true, mode: 0o700 })
  const facts = lstatSync(runtimeDirectory)
  if (!facts.isDirectory() || facts.uid !== userInfo().uid || (facts.mode & 0o077) !== 0) {
    throw new Error("The runtime directory is not a private directory of this user. Remove it and start again.")
  }
  for (const name of readdirSync(runtimeDirectory)) {
    if (isGone(name)) rmSync(join(runtimeDirectory, name), { recursive: true, force: true })
  }
  const own = join(runtimeDirectory, hostId)
  mkdirSync(own, { recursive: true, mode: 0o700 })
  return own
}

/** Removes the host's own folder, and the place as a whole where nothing else is in it. */
export function closeRuntimeDirectory(runtimeDirectory: string, own: string): void {
  rmSync(own, { recursive: true, force: true })
  removeEmptyRuntimeDirectory(runtimeDirectory)
}

/** Removes the place where nothing is in it: a host that was killed has left it behind. */
export function removeEmptyRuntimeDirectory(runtimeDirectory: string): void {
  try {
    rmdirSync(runtimeDirectory)
  } catch {
    // Another host has its folder in it, or it has gone already.
  }
}
