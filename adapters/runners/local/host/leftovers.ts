import { setTimeout as sleep } from "node:timers/promises"
import type { Survivor } from "../../../../core/jobs/record.ts"
import type { BackgroundProcess, StartSpec } from "../../../../core/jobs/runner.ts"
import type { Naming } from "./naming.ts"
import { isRunning, type ProcessRow, type ProcessTable } from "./process-table.ts"
import type { ProcessTree } from "./tree.ts"
import { createGrace, endTree, type KillReport } from "./tree-kill.ts"

const END_GRACE_MS = 500
const LINGER_MS = 200
const KEPT_LINGER_MS = 20
const LINGER_STEP_MS = 10
const FIRST_STEP_MS = 2

/** What the main process of a command left behind when it ended (spec exec-and-jobs.md §8.3). */
export interface Leftovers {
  /** Kept ones that still live, one entry a tree. */
  alive(): readonly BackgroundProcess[]
  /** Something was kept and has not been ended by us. */
  isKept(): boolean
  ended(): readonly BackgroundProcess[]
  survivors(): readonly Survivor[]
  isEnding(): boolean
  /** Ends them, or keeps and names them, as the command was told. */
  settle(tree: ProcessTree): Promise<void>
  /** Those that another host has kept. */
  take(tree: ProcessTree): void
  /** Ends what was kept. */
  end(tree: ProcessTree, graceMs: number): Promise<void>
  /** What a kill of the whole tree could not end. */
  noteSurvivors(report: KillReport): readonly Survivor[]
}

/** Those of one command; nothing is looked at before its main process has ended. */
export function createLeftovers(
  mode: StartSpec["background"],
  { naming, processes }: { readonly naming: Naming; readonly processes: ProcessTable },
): Leftovers {
  let ended: readonly BackgroundProcess[] = []
  let kept: readonly ProcessRow[] = []
  let survivors: readonly Survivor[] = []
  let ending = 0

  function noteSurvivors(report: KillReport): readonly Survivor[] {
    survivors = naming.survivors(report.survivors)
    return survivors
  }

  async function endAll(tree: ProcessTree, left: readonly ProcessRow[]): Promise<void> {
    const named = naming.roots(left)
    const report = await endTree(tree, createGrace(END_GRACE_MS))
    const alive = new Set(report.survivors.map((row) => row.pid))
    ended = named.filter((entry) => !alive.has(entry.pid))
    noteSurvivors(report)
  }

  return {
    // Named when asked: a process that has just been forked still bears its parent's name.
    alive: () => naming.roots(kept.filter((row) => isRunning(processes, row))),
    isKept: () => kept.length > 0,
    ended: () => ended,
    survivors: () => survivors,
    isEnding: () => ending > 0,
    async settle(tree) {
      if (tree.isSurelyGone()) return
      const left = await linger(tree, mode === "end" ? LINGER_MS : KEPT_LINGER_MS)
      if (left.length > 0 && mode === "end") await endAll(tree, left)
      else kept = left
    },
    take(tree) {
      kept = tree.members()
    },
    async end(tree, graceMs) {
      ending += 1
      const report = await endTree(tree, createGrace(graceMs)).finally(() => {
        ending -= 1
      })
      noteSurvivors(report)
      kept = report.survivors
    },
    noteSurvivors,
  }
}

/** Late writers get a moment to end by themselves. */
async function linger(tree: ProcessTree, ms: number): Promise<readonly ProcessRow[]> {
  const end = performance.now() + ms
  let left = tree.members()
  for (
    let step = FIRST_STEP_MS;
    (left.length > 0 || tree.isUnsure()) && performance.now() < end;
    step = Math.min(LINGER_STEP_MS, step * 2)
  ) {
    await sleep(step)
    left = tree.members()
  }
  return left
}
