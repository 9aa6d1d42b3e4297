import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createSystemClock } from "../../../adapters/clock/index.ts"
import type { EditStep } from "../../../adapters/runners/local/files/commit.ts"
import { createProjectFs, type LocalProjectFs } from "../../../adapters/runners/local/files/project-fs.ts"
import { type Change, checkChanges } from "../../../core/files/edits/changes.ts"
import { operationsOf, planChanges } from "../../../core/files/edits/plan.ts"
import { createIds } from "../../../core/kernel/ids.ts"

/** Where a fault test works, as it is handed to a child process. */
export interface Place {
  readonly root: string
  readonly dataDir: string
  /** Name of the write lock; `tree` unless a Project's real key matters. */
  readonly treePk?: string
  /** What the journal names; `INVOCATION` unless a recorded call matters. */
  readonly invocationId?: string
}

/** The invocation that every fault test's batch belongs to. */
export const INVOCATION = "wc_inv_fault"

/** The tree of a place. */
export const treeOf = ({ root, treePk = "tree" }: Place) => ({ project: "p", root, treePk })

/** The local files over a place. */
export function openFiles({ dataDir }: Place, afterStep?: (step: EditStep) => void): LocalProjectFs {
  return createProjectFs({
    dataDir,
    clock: createSystemClock(),
    ids: createIds(),
    callIsOpen: async () => true,
    ...(afterStep === undefined ? {} : { afterStep }),
  })
}

/** Plans and applies changes as the tool does. */
export async function applyChanges(fs: LocalProjectFs, place: Place, changes: readonly Change[]): Promise<void> {
  const tree = treeOf(place)
  const plan = async (root: Parameters<typeof planChanges>[0]) => ({
    operations: operationsOf(await planChanges(root, changes)),
  })
  await fs.applyBatch(tree, {
    callId: "wc_call_fault",
    invocationId: place.invocationId ?? INVOCATION,
    plan: await fs.withRoot(tree, plan),
    replan: plan,
    lockWaitMs: 10_000,
  })
}

/** Names of the twelve files: eight exist before, four are made in two new directories. */
export const BATCH_FILES = {
  existing: [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `old/${n}.txt`),
  fresh: ["new/a/0.txt", "new/a/1.txt", "new/2.txt", "old/3.new"],
} as const

/** Writes the files that exist before the batch. */
export function prepareBatch({ root }: Place): void {
  mkdirSync(join(root, "old"), { recursive: true })
  for (const name of BATCH_FILES.existing) writeFileSync(join(root, name), `old ${name}\n`)
}

/** The twelve changes of the batch. */
export const batchChanges = (): readonly Change[] =>
  checkChanges([
    ...BATCH_FILES.existing.map((path) => ({
      kind: "edit" as const,
      path,
      edits: [{ kind: "replace_exact" as const, old_text: "old ", new_text: "new " }],
    })),
    ...BATCH_FILES.fresh.map((path) => ({ kind: "create" as const, path, content: `new ${path}\n` })),
  ])

/** Every point of the batch's commit, in order. */
export const BATCH_STEPS: readonly EditStep[] = [
  "planned",
  "directories",
  ...(["staged", "backed_up", "applied"] as const).flatMap((step) =>
    Array.from({ length: 12 }, (_, index): EditStep => `${step}:${index}`),
  ),
  "committed",
  "cleaned",
]
