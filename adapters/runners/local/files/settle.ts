import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { isToolError } from "../../../../core/kernel/error.ts"
import { hashOf } from "./bytes.ts"
import { type Directory, isSameObject, type OpenDirectories } from "./directory.ts"
import { rmdirIfEmpty, syncFile, unlinkIfThere } from "./effects.ts"
import { errnoOf } from "./errno.ts"
import { isPartWritten, writeInPlace } from "./in-place.ts"
import type { Journal, JournalDirectory, JournalOperation } from "./journal.ts"

/** Where a journal is settled: its root, opened, and the journals. */
export interface Ground {
  readonly directories: OpenDirectories
  readonly root: Directory
  readonly journals: JournalDirectory
  /** Directories of operations that the committing call still holds open; others are found by their real names. */
  readonly held?: ReadonlyMap<number, Directory>
}

/** One operation of a journal on its ground. */
interface Site {
  readonly ground: Ground
  readonly journal: Journal
  readonly index: number
  readonly operation: JournalOperation
  readonly parent: Directory
}

const pathIn = ({ ground, parent }: Site, name: string): string => ground.directories.child(parent, name)
const lookAt = ({ ground, parent }: Site, name: string) => ground.directories.look(parent, name)

/** The directory of an operation: undefined when it is not there, "unreachable" when something else took its place. */
function parentOf(ground: Ground, index: number, operation: JournalOperation): Directory | "unreachable" | undefined {
  try {
    return ground.held?.get(index) ?? ground.directories.descend(ground.root, operation.directory)
  } catch (error) {
    if (isToolError(error)) return "unreachable"
    throw error
  }
}

/** The operations whose directories can be reached, and whether any other may have left something. */
function sitesOf(ground: Ground, journal: Journal): { readonly sites: readonly Site[]; readonly complete: boolean } {
  const sites: Site[] = []
  let complete = true
  for (const [index, operation] of journal.operations.entries()) {
    const parent = parentOf(ground, index, operation)
    if (typeof parent === "object") sites.push({ ground, journal, index, operation, parent })
    // A new file whose directory is not there was never made; an existing file's directory was moved away.
    else if (parent === "unreachable" || operation.kind === "replace") complete = false
  }
  return { sites, complete }
}

/** Removes what a committed batch leaves beside its targets. Idempotent. */
export function removeLeftovers(ground: Ground, journal: Journal): void {
  for (const site of sitesOf(ground, journal).sites) {
    const { staged, backup } = site.operation
    unlinkIfThere(pathIn(site, staged))
    if (backup !== undefined) unlinkIfThere(pathIn(site, backup))
  }
  ground.journals.dropKept(journal.op)
}

/** Takes a new file away again, unless someone has changed it since. */
async function undoCreate(site: Site): Promise<boolean> {
  const { name, staged, new_sha256 } = site.operation
  const target = lookAt(site, name)
  const temporary = lookAt(site, staged)
  const isOurs =
    target !== undefined &&
    (temporary === undefined
      ? (await hashOf(pathIn(site, name), target)) === new_sha256
      : isSameObject(target, temporary))
  if (isOurs) unlinkIfThere(pathIn(site, name))
  unlinkIfThere(pathIn(site, staged))
  return isOurs || target === undefined || temporary !== undefined
}

/** Keeps the original of a file that someone changed since in the journal's own directory. */
function saveBackup(site: Site, backup: string): void {
  const kept = site.ground.journals.kept(site.journal.op, site.index, "old")
  mkdirSync(dirname(kept), { recursive: true, mode: 0o700 })
  copyFileSync(pathIn(site, backup), kept)
  rmSync(pathIn(site, backup))
}

/** Puts the original back under its name, with its inode, if the new content still stands there. */
async function undoReplace(site: Site, backup: string): Promise<boolean> {
  const { name, staged, old_sha256, new_sha256 } = site.operation
  unlinkIfThere(pathIn(site, staged))
  const original = lookAt(site, backup)
  if (original === undefined) return true
  const target = lookAt(site, name)
  const hash = target === undefined ? undefined : await hashOf(pathIn(site, name), target)
  if (target !== undefined && (isSameObject(target, original) || hash === old_sha256)) {
    unlinkIfThere(pathIn(site, backup))
    return true
  }
  if (hash === new_sha256) {
    renameSync(pathIn(site, backup), pathIn(site, name))
    return true
  }
  saveBackup(site, backup)
  return false
}

/** Restores a file that was being written in place, if its bytes are old and new ones only. */
async function undoInPlace(site: Site): Promise<boolean> {
  const { ground, journal, index } = site
  const { name, staged, backup } = site.operation
  unlinkIfThere(pathIn(site, staged))
  if (backup !== undefined) unlinkIfThere(pathIn(site, backup))
  const target = lookAt(site, name)
  if (target?.isFile() !== true) return false
  const [oldBytes, newBytes] = (["old", "new"] as const).map((suffix) =>
    readFileSync(ground.journals.kept(journal.op, index, suffix)),
  )
  if (oldBytes === undefined || newBytes === undefined) return false
  const bytes = readFileSync(pathIn(site, name))
  if (bytes.equals(oldBytes)) return true
  if (!isPartWritten(bytes, oldBytes, newBytes)) return false
  await writeInPlace(pathIn(site, name), target, oldBytes)
  return true
}

async function undo(site: Site): Promise<boolean> {
  const { in_place, kind, backup } = site.operation
  try {
    if (in_place) return await undoInPlace(site)
    return kind === "create" || backup === undefined ? await undoCreate(site) : await undoReplace(site, backup)
  } catch (error) {
    // A file that cannot be put back must not keep the others from being put back; the caller hears of it.
    if (errnoOf(error) === undefined && !isToolError(error)) throw error
    return false
  }
}

function removeMadeDirectories({ directories, root }: Ground, journal: Journal): boolean {
  try {
    for (const components of [...journal.made_directories].reverse()) {
      const parent = directories.descend(root, components.slice(0, -1))
      if (parent !== undefined) rmdirIfEmpty(directories.child(parent, components.at(-1) ?? ""))
    }
    return true
  } catch (error) {
    if (isToolError(error)) return false
    throw error
  }
}

/**
 * Undoes a planned batch: same bytes, same inodes. A file that someone changed since is left and its original kept.
 * @returns Whether everything is as before.
 */
export async function rollBack(ground: Ground, journal: Journal): Promise<boolean> {
  const { sites, complete: allReached } = sitesOf(ground, journal)
  let complete = allReached
  for (const site of [...sites].reverse()) complete = (await undo(site)) && complete
  await Promise.all([...new Set(sites.map(({ parent }) => parent.fd))].map(syncFile))
  complete = removeMadeDirectories(ground, journal) && complete
  if (complete) ground.journals.dropKept(journal.op)
  return complete
}

/** Finishes or undoes what a dead process left, and says so in the journal, which stays. */
export async function settle(ground: Ground, journal: Journal): Promise<Journal> {
  if (journal.state === "committed") {
    removeLeftovers(ground, journal)
    return record(ground, { ...journal, state: "cleaned" })
  }
  if (journal.state !== "planned") return journal
  const complete = await rollBack(ground, journal)
  return record(ground, { ...journal, state: complete ? "rolled_back" : "conflict" })
}

async function record(ground: Ground, journal: Journal): Promise<Journal> {
  await ground.journals.write(journal)
  return journal
}
