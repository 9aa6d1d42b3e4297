import { realpathSync } from "node:fs"
import { join, relative } from "node:path"
import type { BatchPlan, BatchResult } from "../../../../core/files/edits/batch.ts"
import type { BatchRequest, JournalOutcome, ProjectFs, ProjectTree, RootHandle } from "../../../../core/files/fs.ts"
import { checkPath } from "../../../../core/files/paths.ts"
import { createPathPolicy } from "../../../../core/files/policy.ts"
import type { Clock } from "../../../../core/kernel/clock.ts"
import { isToolError } from "../../../../core/kernel/error.ts"
import type { Ids } from "../../../../core/kernel/ids.ts"
import { PathAccess } from "./access.ts"
import { BatchCommit, type EditStep } from "./commit.ts"
import { type Confinement, detectConfinement, OpenDirectories } from "./directory.ts"
import { errnoOf } from "./errno.ts"
import { findStale } from "./freshness.ts"
import { editsDirectory, JournalDirectory } from "./journal.ts"
import { JournalKeeper } from "./journal-keeper.ts"
import { LocalRoot } from "./root-handle.ts"
import { WriteLocks } from "./write-lock.ts"

/** What the local files need from their composition. */
export interface ProjectFsOptions {
  /** The Holdfast data directory; journals and locks lie under its `runner`. */
  readonly dataDir: string
  readonly clock: Pick<Clock, "now" | "monotonic" | "sleep">
  readonly ids: Pick<Ids, "token">
  /** Whether a call id still has an `open_calls` row: its journal is kept (kernel.md §15). */
  callIsOpen(callId: string): Promise<boolean>
  /** Default: what the runtime allows. */
  readonly confinement?: Confinement
  /** Called at each point of a commit; fault tests end the process there. */
  afterStep?(step: EditStep): void
}

/** The local `ProjectFs`, and its end. */
export interface LocalProjectFs extends ProjectFs {
  /** Closes the lock files; no call may be running. */
  close(): void
}

const MAX_REPLANS = 3
const RECOVERY_WAIT_MS = 10_000
/** Old journals that one edit takes away: more than it leaves, so that they do not pile up. */
const SWEPT_AT_ONCE = 4

/** The data directory as seen from a root, when it lies below it: it is protected there. */
export function dataDirectoryBelow(root: string, dataDir: string) {
  try {
    return checkPath(relative(root, realpathSync(dataDir)), "file").path
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined
    throw error
  }
}

async function withAccess<T>(
  tree: ProjectTree,
  how: { readonly confinement: Confinement; readonly dataDir: string },
  use: (access: PathAccess) => Promise<T>,
): Promise<T> {
  const directories = new OpenDirectories(how.confinement)
  try {
    const root = directories.openRoot(tree.root)
    const policy = createPathPolicy(tree.filePolicy, dataDirectoryBelow(tree.root, how.dataDir))
    return await use(new PathAccess(directories, root, { policy, ...(tree.guard ? { guard: tree.guard } : {}) }))
  } finally {
    directories.closeAll()
  }
}

async function currentPlan(access: PathAccess, root: RootHandle, batch: BatchRequest): Promise<BatchPlan> {
  let plan = batch.plan
  for (let replans = 0; ; replans += 1) {
    const stale = await findStale(access, root, plan)
    if (stale === undefined) return plan
    if (replans === MAX_REPLANS) throw stale
    plan = await batch.replan(root)
  }
}

/** What the files of one Runner share. */
interface Parts {
  readonly options: ProjectFsOptions
  readonly how: { readonly confinement: Confinement; readonly dataDir: string }
  readonly locks: WriteLocks
  readonly journals: JournalDirectory
  readonly keeper: JournalKeeper
}

function createParts(options: ProjectFsOptions): Parts {
  const { clock, dataDir, confinement = detectConfinement() } = options
  const journals = new JournalDirectory(editsDirectory(dataDir))
  return {
    options,
    how: { confinement, dataDir },
    locks: new WriteLocks(join(dataDir, "runner", "locks"), clock),
    journals,
    keeper: new JournalKeeper({
      journals,
      confinement,
      now: () => clock.now(),
      callIsOpen: (callId) => options.callIsOpen(callId),
    }),
  }
}

/** Settles what dead processes left in the tree, then plans and commits; the write lock is held. */
async function applyUnderLock(parts: Parts, tree: ProjectTree, batch: BatchRequest): Promise<BatchResult> {
  const { options, how, journals, keeper } = parts
  await keeper.settleTree(tree.treePk)
  await keeper.sweep(SWEPT_AT_ONCE)
  return withAccess(tree, how, async (access) => {
    const plan = await currentPlan(access, new LocalRoot(access), batch)
    if (plan.operations.length === 0) return { plan, results: [] }
    batch.signal?.throwIfAborted()
    const journal = {
      version: 1,
      op: options.ids.token(),
      call_id: batch.callId,
      invocation_id: batch.invocationId,
      tree_pk: tree.treePk,
      root: tree.root,
    } as const
    const afterStep = (step: EditStep): void => options.afterStep?.(step)
    return { plan, results: await new BatchCommit({ access, journals, journal, afterStep }, plan).run() }
  })
}

/** Settles one tree; a tree that stays locked belongs to a live process, which settles it itself. */
async function recoverTree({ keeper, locks }: Parts, treePk: string): Promise<void> {
  try {
    await locks.hold(treePk, { waitMs: RECOVERY_WAIT_MS }, () => keeper.settleTree(treePk))
  } catch (error) {
    if (!isToolError(error) || error.kind !== "workspace_busy") throw error
  }
}

/** The files of Projects on this machine (files-and-git.md §1.3, §2, §4.4). */
export function createProjectFs(options: ProjectFsOptions): LocalProjectFs {
  const parts = createParts(options)
  const { how, locks, keeper } = parts
  return {
    confinement: how.confinement,
    withRoot: (tree, use) => withAccess(tree, how, (access) => use(new LocalRoot(access))),
    applyBatch(tree, batch) {
      const wait = { waitMs: batch.lockWaitMs, ...(batch.signal === undefined ? {} : { signal: batch.signal }) }
      return locks.hold(tree.treePk, wait, () => applyUnderLock(parts, tree, batch))
    },
    async recover() {
      for (const treePk of keeper.openTrees()) await recoverTree(parts, treePk)
      await keeper.sweep()
    },
    async outcomeOf(invocationId): Promise<JournalOutcome | undefined> {
      const treePk = keeper.find(invocationId)?.tree_pk
      if (treePk === undefined) return undefined
      return locks.hold(treePk, { waitMs: RECOVERY_WAIT_MS }, async () => {
        await keeper.settleTree(treePk)
        return keeper.outcome(invocationId)
      })
    },
    conflicts: async (tree) => keeper.conflicts(tree.root),
    close: () => locks.close(),
  }
}
