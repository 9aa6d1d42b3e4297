import { statSync } from "node:fs"
import { type JobId, jobIdSchema } from "../../../../../core/kernel/ids.ts"
import { isRunning, type ProcessTable } from "../../host/process-table.ts"
import { type Layout, layoutOf } from "../layout.ts"
import { asText } from "../snapshot/quoting.ts"
import { loadSnapshot } from "../snapshot/snapshot-file.ts"
import type { KnownState } from "../snapshot-keeper.ts"
import type { AdoptedGeneration } from "./adopted-generation.ts"
import { adoptedProcess } from "./adopted-process.ts"
import { readCard } from "./card.ts"
import { type RunRecord, readRunRecord } from "./run-record.ts"
import { sentText } from "./sent-text.ts"
import type { JournalledShell } from "./shell-journal.ts"

/** A command whose end was not journalled. */
export interface OpenRun {
  readonly record: RunRecord
  /** As it was sent; `""` where it went through a pipe. */
  readonly text: string
}

/** What is left of one generation. */
export interface FoundGeneration extends AdoptedGeneration {
  readonly isAlive: boolean
  readonly run: OpenRun | undefined
}

/** What is left of one shell. */
export interface FoundShell {
  /** The newest generation that answered; absent: nothing can go on. */
  readonly current: FoundGeneration | undefined
  /** Older ones that belong to a command that still runs (spec shells.md §5.7). */
  readonly detached: readonly FoundGeneration[]
  /** Generations that never answered, or that another one had followed already: nobody goes on with them. */
  readonly stale: readonly FoundGeneration[]
}

/** Looks at what a journal names; `isOpen`: the command's end is not journalled. */
export function findGenerations(
  { opened }: JournalledShell,
  processes: ProcessTable,
  isOpen: (jobId: JobId) => boolean,
): FoundShell {
  const found = [...new Set(opened.map(({ directory }) => directory))]
    .flatMap((directory) => findGeneration(directory, { processes, isOpen }) ?? [])
    .sort((a, b) => b.card.generation - a.card.generation)
  const current = found.find(({ card }) => card.ready && !card.detached)
  const detached = found.filter(({ card, run }) => card.detached && run !== undefined)
  return { current, detached, stale: found.filter((one) => one !== current && !detached.includes(one)) }
}

function findGeneration(
  directory: string,
  { processes, isOpen }: { readonly processes: ProcessTable; isOpen(jobId: JobId): boolean },
): FoundGeneration | undefined {
  const card = readCard(directory)
  if (card === undefined || card.boot !== processes.bootId()) return undefined
  const layout = layoutOf(directory)
  const record = readRunRecord(directory)
  const inherited = knownState(layout, record)
  const cwd = inherited?.snapshot.cwd
  const id = { pid: card.pid, startTime: card.start }
  const isUnfinished = record !== undefined && isOpen(jobIdSchema.parse(record.job))
  return {
    card,
    layout,
    isAlive: isRunning(processes, id),
    process: adoptedProcess(id, processes),
    inherited,
    cwd: cwd === undefined ? card.initialCwd : asText(cwd),
    run: isUnfinished ? { record, text: sentText(layout.command) } : undefined,
  }
}

/** A snapshot that is younger than the last command knows what that one did. */
function knownState(layout: Layout, record: RunRecord | undefined): KnownState | undefined {
  const snapshot = loadSnapshot(layout.snapshot)
  if (snapshot === undefined) return undefined
  const isYounger = record === undefined || statSync(layout.snapshot).mtimeMs > record.startedAt
  return { snapshot, behind: isYounger ? 0 : record.behind }
}
