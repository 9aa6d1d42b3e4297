import { rmSync } from "node:fs"
import { readShellFolders } from "../../shells/adopt/shell-journal.ts"
import { type Journal, type JournalledRun, readJournal, reopenJournal } from "../journal.ts"
import {
  hostDirectory,
  isHostAlive,
  mayHoldProcesses,
  releaseHostDirectory,
  restoreOwner,
  takeHostDirectory,
} from "../owner.ts"
import type { ProcessTable } from "../process-table.ts"

/** What a host that is gone has left, in our hands (spec exec-and-jobs.md §6.2). */
export interface TakenHost {
  readonly hostId: string
  readonly directory: string
  /** What it had journalled when it was taken. */
  readonly runs: ReadonlyMap<string, JournalledRun>
  /** Goes on in the journal of that host, so that each Job's story stays in one place. */
  readonly journal: Journal
  /** Something of it is still looked after until the given promise settles. */
  holdUntil(done: Promise<unknown>): void
  /** No more holders will come: with the last one its directory is given up, and its runtime folders are removed. */
  settle(): void
}

/**
 * Takes over the directory of a host that is gone without having ended in order; `undefined` when there is nothing to take, or
 * another process was faster. Its processes may live: they are of this boot.
 */
export function takeHost(dataDirectory: string, hostId: string, processes: ProcessTable): TakenHost | undefined {
  const directory = hostDirectory(dataDirectory, hostId)
  restoreOwner(directory, processes)
  if (isHostAlive(directory, processes) || !mayHoldProcesses(directory, processes)) return undefined
  if (!takeHostDirectory(directory, processes)) return undefined
  const runs = readJournal(directory)
  const folders = [...runtimeFolders(runs), ...readShellFolders(directory)]
  const journal = reopenJournal(directory)
  let holders = 1

  function letGo(): void {
    holders -= 1
    if (holders > 0) return
    journal.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    releaseHostDirectory(directory)
  }

  return {
    hostId,
    directory,
    runs,
    journal,
    holdUntil(done) {
      holders += 1
      void done.then(letGo, letGo)
    },
    settle: letGo,
  }
}

function runtimeFolders(runs: TakenHost["runs"]): ReadonlySet<string> {
  return new Set([...runs.values()].flatMap(({ accepted }) => accepted.place?.runtime ?? []))
}
