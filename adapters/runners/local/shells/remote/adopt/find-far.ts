import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { type JobId, jobIdSchema } from "../../../../../../core/kernel/ids.ts"
import type { OpenRun } from "../../adopt/find-generations.ts"
import { type RunRecord, readRunRecord } from "../../adopt/run-record.ts"
import { sentText } from "../../adopt/sent-text.ts"
import type { JournalledShell } from "../../adopt/shell-journal.ts"
import { asText } from "../../snapshot/quoting.ts"
import { loadSnapshot } from "../../snapshot/snapshot-file.ts"
import type { KnownState } from "../../snapshot-keeper.ts"
import { type FarCard, type FarGeneration, readFarCard } from "./far-card.ts"
import { FAR_FILES } from "./keep-far-card.ts"

/** A far generation and what runs in it. */
export interface FoundFar extends FarGeneration {
  /** A command whose end was not journalled. */
  readonly run: OpenRun | undefined
}

/** What is left on this machine of one far shell. */
export interface FoundFarShell {
  /** The newest generation that answered; absent: nothing can go on. */
  readonly current: FoundFar | undefined
  /** Older ones that belong to a command that may still run (spec shells.md §5.7). */
  readonly detached: readonly FoundFar[]
  /** The newest of all: by it the target is found. */
  readonly any: FoundFar
}

/** Looks at what a journal names; `undefined`: it is no far shell. */
export function findFarShell(
  { opened }: JournalledShell,
  boot: string,
  isOpen: (jobId: JobId) => boolean,
): FoundFarShell | undefined {
  const folders = [...new Set(opened.map(({ directory }) => directory))]
  const cards = folders
    .flatMap((folder) => {
      const card = readFarCard(folder)
      return card === undefined || card.boot !== boot ? [] : [{ folder, card }]
    })
    .sort((a, b) => b.card.generation - a.card.generation || b.card.number - a.card.number)
  const first = cards.find(({ card }) => card.ready && !card.detached)
  const withRuns = cards.map(({ folder, card }) => foundFar({ folder, card, stale: [] }, isOpen))
  const detached = withRuns.filter(({ card, run }) => card.detached && run !== undefined)
  const [newest] = withRuns
  if (newest === undefined) return undefined
  const isUsed = (folder: string): boolean => folder === first?.folder || detached.some((one) => one.folder === folder)
  const unused = cards.filter(({ folder }) => !isUsed(folder))
  for (const { folder } of unused) if (first !== undefined) rmSync(folder, { recursive: true, force: true })
  const stale = unused.map(({ card }) => card)
  return {
    current: first === undefined ? undefined : foundFar({ ...first, stale }, isOpen),
    detached,
    any: newest,
  }
}

function foundFar(
  { folder, card, stale }: { readonly folder: string; readonly card: FarCard; readonly stale: readonly FarCard[] },
  isOpen: (jobId: JobId) => boolean,
): FoundFar {
  const record = readRunRecord(folder)
  const inherited = knownState(join(folder, FAR_FILES.snapshot), record)
  const cwd = inherited?.snapshot.cwd
  const isUnfinished = record !== undefined && isOpen(jobIdSchema.parse(record.job))
  return {
    card,
    folder,
    stale,
    inherited,
    canAbort: record?.canAbort ?? true,
    children: record?.older.map(({ pid }) => pid) ?? [],
    cwd: cwd === undefined ? card.initialCwd : asText(cwd),
    run: isUnfinished ? { record, text: sentText(join(folder, FAR_FILES.text)) } : undefined,
  }
}

/** A snapshot that is younger than the last command knows what that one did. */
function knownState(path: string, record: RunRecord | undefined): KnownState | undefined {
  const snapshot = loadSnapshot(path)
  if (snapshot === undefined) return undefined
  const isYounger = record === undefined || statSync(path).mtimeMs > record.startedAt
  return { snapshot, behind: isYounger ? 0 : record.behind }
}
