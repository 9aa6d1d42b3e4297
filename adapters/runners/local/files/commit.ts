import { type BigIntStats, constants, renameSync } from "node:fs"
import type { BatchPlan, OperationResult } from "../../../../core/files/edits/batch.ts"
import { isToolError, ToolError } from "../../../../core/kernel/error.ts"
import type { PathAccess } from "./access.ts"
import { type Directory, isSameObject } from "./directory.ts"
import { linkOrCopy, syncFile, unlinkIfThere, withFile } from "./effects.ts"
import { errnoOf, hasErrno, pathChanged } from "./errno.ts"
import { writeInPlace } from "./in-place.ts"
import type { Journal, JournalDirectory, JournalOperation } from "./journal.ts"
import { journalled, missingDirectories, openParent, type Placement, place } from "./placement.ts"
import { type Ground, removeLeftovers, rollBack } from "./settle.ts"
import { PERMISSION_BITS } from "./stamp.ts"

/** A point of a commit that has just been passed, for fault tests: `applied:3` is the fourth rename. */
export type EditStep =
  | "planned"
  | "directories"
  | "committed"
  | "cleaned"
  | `${"staged" | "backed_up" | "applied"}:${number}`

/** What a commit needs beside its plan. */
export interface CommitContext {
  readonly access: PathAccess
  readonly journals: JournalDirectory
  readonly journal: Omit<Journal, "state" | "made_directories" | "operations">
  afterStep(step: EditStep): void
}

const STAGE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const STAGED_AT_ONCE = 8
const NO_SPACE = ["ENOSPC", "EDQUOT"]
const NOT_REPLACEABLE = ["EACCES", "EBUSY"]

interface Step extends Placement {
  readonly parent: Directory
}

/** Applies one batch under the write lock: steps J1 to J6 of files-and-git.md §4.4. */
export class BatchCommit {
  private readonly context: CommitContext
  private readonly plan: BatchPlan
  private journal: Journal
  private readonly ownerChanged = new Set<number>()
  private readonly held = new Map<number, Directory>()

  constructor(context: CommitContext, plan: BatchPlan) {
    this.context = context
    this.plan = plan
    this.journal = { ...context.journal, state: "planned", made_directories: [], operations: [] }
  }

  /**
   * @throws ToolError `storage_full`, `edit_failed`, `path_exists`, `path_changed`; every effect is then rolled back,
   * or `details.rollback_complete` is false.
   */
  async run(): Promise<readonly OperationResult[]> {
    const placements = this.plan.operations.map((operation, index) => place(this.context.access, operation, index))
    const operations = placements.map((placement) => journalled(this.journal.op, placement))
    const made_directories = missingDirectories(placements)
    try {
      await this.enter({ operations, made_directories })
      this.context.afterStep("planned")
      await this.apply(placements)
      await this.enter({ state: "committed" })
    } catch (error) {
      throw await this.undo(error)
    }
    this.context.afterStep("committed")
    await this.clean()
    return placements.map(({ index }) => ({ ownerChanged: this.ownerChanged.has(index) }))
  }

  private get directories() {
    return this.context.access.directories
  }

  private get ground(): Ground {
    const { access, journals } = this.context
    return { directories: access.directories, root: access.root, journals, held: this.held }
  }

  private entry(index: number): JournalOperation {
    const entry = this.journal.operations[index]
    if (entry === undefined) throw new RangeError(`no journalled operation ${index}`)
    return entry
  }

  private async enter(change: Partial<Journal>): Promise<void> {
    this.journal = { ...this.journal, ...change }
    await this.context.journals.write(this.journal)
  }

  private async apply(placements: readonly Placement[]): Promise<void> {
    const steps = placements.map((placement) => {
      const parent = openParent(this.context.access, placement)
      this.held.set(placement.index, parent)
      return { ...placement, parent }
    })
    this.context.afterStep("directories")
    for (let from = 0; from < steps.length; from += STAGED_AT_ONCE) {
      await this.stage(steps.slice(from, from + STAGED_AT_ONCE))
    }
    for (const step of steps) {
      this.backUp(step)
      this.context.afterStep(`backed_up:${step.index}`)
    }
    for (const step of steps) {
      await this.exchange(step)
      this.context.afterStep(`applied:${step.index}`)
    }
    for (const { parent } of steps) this.directories.requireInPlace(parent)
    await this.syncDirectories(steps)
  }

  /** Writes some contents at once, so that the disk syncs them together; none is under way any more when it settles. */
  private async stage(steps: readonly Step[]): Promise<void> {
    const results = await Promise.allSettled(
      steps.map((step) => this.writeStaged(step, this.directories.child(step.parent, this.entry(step.index).staged))),
    )
    for (const [at, step] of steps.entries()) {
      const result = results[at]
      if (result?.status === "rejected") {
        if (!this.mayGoInPlace(step, result.reason)) throw result.reason
        await this.goInPlace(step)
      }
      this.context.afterStep(`staged:${step.index}`)
    }
  }

  private async writeStaged({ index, operation, original }: Step, path: string): Promise<void> {
    const fresh = operation.kind === "create" && operation.executable ? 0o777 : 0o666
    const mode = original === undefined ? fresh : 0o600
    await withFile(path, { flags: STAGE_FLAGS, mode }, async (file) => {
      await file.writeFile(operation.content)
      if (original !== undefined) {
        const stat = await file.stat({ bigint: true })
        const isSameOwner = stat.uid === original.uid && stat.gid === original.gid
        if (!isSameOwner && !(await keepOwner(file, original))) this.ownerChanged.add(index)
        await file.chmod(Number(original.mode) & PERMISSION_BITS)
      }
      await file.sync()
    })
  }

  private backUp({ index, parent, name, original }: Step): void {
    const { backup, in_place } = this.entry(index)
    if (original === undefined || backup === undefined || in_place) return
    linkOrCopy(this.directories.child(parent, name), this.directories.child(parent, backup))
    this.requireSame(parent, { name, original })
  }

  private async exchange(step: Step): Promise<void> {
    const { index, operation, parent, name, original } = step
    const target = this.directories.child(parent, name)
    const staged = this.directories.child(parent, this.entry(index).staged)
    if (original === undefined) return this.bringIntoBeing(staged, target)
    this.requireSame(parent, { name, original })
    if (!this.entry(index).in_place) {
      try {
        renameSync(staged, target)
        return
      } catch (error) {
        if (!this.mayGoInPlace(step, error)) throw error
        await this.goInPlace(step)
      }
    }
    await writeInPlace(target, original, operation.content)
  }

  private bringIntoBeing(staged: string, target: string): void {
    try {
      linkOrCopy(staged, target)
    } catch (error) {
      if (!hasErrno(error, ["EEXIST"])) throw error
      throw new ToolError("path_exists", "Something appeared at this path during the call; read it, then decide.")
    }
    unlinkIfThere(staged)
  }

  private requireSame(parent: Directory, target: { readonly name: string; readonly original: BigIntStats }): void {
    const now = this.directories.look(parent, target.name)
    if (now === undefined || !isSameObject(now, target.original)) throw pathChanged()
  }

  private mayGoInPlace({ original }: Step, error: unknown): boolean {
    return original !== undefined && original.nlink === 1n && hasErrno(error, NOT_REPLACEABLE)
  }

  /** Journals that a file is written in place, with its old and new content, before it is touched. */
  private async goInPlace({ index, operation, parent }: Step): Promise<void> {
    const { staged, backup } = this.entry(index)
    const { journals } = this.context
    if (operation.kind === "replace") {
      await journals.keep(this.journal.op, index, { suffix: "old", bytes: operation.source.content })
    }
    await journals.keep(this.journal.op, index, { suffix: "new", bytes: operation.content })
    const operations = this.journal.operations.map((entry, at) => (at === index ? { ...entry, in_place: true } : entry))
    await this.enter({ operations })
    for (const name of [staged, backup]) {
      if (name !== undefined) unlinkIfThere(this.directories.child(parent, name))
    }
  }

  private async syncDirectories(steps: readonly Step[]): Promise<void> {
    const touched = new Set(steps.flatMap(({ parent, base }) => [parent.fd, base.fd]))
    await Promise.all([...touched].map(syncFile))
  }

  private async clean(): Promise<void> {
    try {
      removeLeftovers(this.ground, this.journal)
      await this.enter({ state: "cleaned" })
    } catch (error) {
      // The batch is committed; the next holder of the lock removes what could not be removed now.
      if (errnoOf(error) === undefined && !isToolError(error)) throw error
    }
    this.context.afterStep("cleaned")
  }

  private async undo(error: unknown): Promise<unknown> {
    const complete = await rollBack(this.ground, this.journal)
    const errno = errnoOf(error)
    const outcome = complete ? "rolled_back" : "conflict"
    await this.enter({ state: outcome }).catch((failure: unknown) => {
      // Without space for the new state the journal still says `planned`; recovery rolls back again, which changes nothing.
      if (errnoOf(failure) === undefined) throw failure
    })
    if (hasErrno(error, NO_SPACE)) {
      return new ToolError(
        "storage_full",
        "The disk is full, so nothing was changed; free space and send the call again.",
        {
          details: { rollback_complete: complete },
          cause: error,
        },
      )
    }
    if (errno === undefined && complete) return error
    return editFailed(errno, complete, error)
  }
}

const editFailed = (errno: string | undefined, complete: boolean, cause: unknown): ToolError =>
  new ToolError(
    "edit_failed",
    complete
      ? "The system refused a step of the edit and everything was rolled back; look at the files, then decide."
      : "The edit failed and could not be undone wholly; look at the files before anything else.",
    { details: { ...(errno === undefined ? {} : { errno }), rollback_complete: complete }, cause },
  )

/** Gives a new inode the owner and group of the old one; false where the system does not allow it. */
async function keepOwner(
  file: { chown(uid: number, gid: number): Promise<void> },
  original: BigIntStats,
): Promise<boolean> {
  try {
    await file.chown(Number(original.uid), Number(original.gid))
    return true
  } catch (error) {
    if (hasErrno(error, ["EPERM", "EINVAL"])) return false
    throw error
  }
}
