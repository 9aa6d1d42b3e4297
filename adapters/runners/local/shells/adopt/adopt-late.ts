import { readdirSync } from "node:fs"
import { type JobId, jobIdSchema } from "../../../../../core/kernel/ids.ts"
import { adoptedLaunch } from "../../host/adoption/adopted-launch.ts"
import type { TakenHost } from "../../host/adoption/taken-host.ts"
import { type ByteMaskFactory, maskText } from "../../host/byte-mask.ts"
import { createExecution, type Execution } from "../../host/execution.ts"
import { createJobSpool, spoolDirectory } from "../../host/job-spool.ts"
import type { EndedEntry, JournalledRun } from "../../host/journal.ts"
import type { ProcessTable } from "../../host/process-table.ts"
import { readShellFolders } from "./shell-journal.ts"

/** What reading on needs. */
export interface LatePorts {
  readonly processes: ProcessTable
  readonly mask: ByteMaskFactory
  readonly spoolJobBytes: number
  readonly outputLimitBytes: number
  add(execution: Execution): void
  now(): number
}

interface LateCommand {
  readonly jobId: JobId
  /** The folder with its pipes. */
  readonly runtime: string
  readonly run: JournalledRun
  readonly ended: EndedEntry
}

/**
 * Reads on what children of commands that have ended still write (spec shells.md §5.3, §6): without a reader they would wait
 * for ever at a full pipe. Their pipes bear the names of their Jobs.
 */
export async function adoptLate(taken: TakenHost, ports: LatePorts): Promise<void> {
  for (const runtime of readShellFolders(taken.directory)) {
    for (const command of lateCommands(runtime, taken)) {
      const execution = readOn(command, taken, ports)
      ports.add(execution)
      taken.holdUntil(execution.quiet)
      await execution.launch()
    }
  }
}

function lateCommands(runtime: string, { runs }: TakenHost): readonly LateCommand[] {
  const jobs = new Set(namesIn(runtime).flatMap((name) => jobIdSchema.safeParse(name.split(".")[0]).data ?? []))
  return [...jobs].flatMap((jobId) => {
    const run = runs.get(jobId)
    if (run === undefined || run.accepted.place !== undefined || run.ended === undefined) return []
    return [{ jobId, runtime, run, ended: run.ended }]
  })
}

function readOn({ jobId, runtime, run, ended }: LateCommand, taken: TakenHost, ports: LatePorts): Execution {
  const { processes, mask, now, outputLimitBytes } = ports
  const place = { runtime, timeoutMs: 0, background: "keep" } as const
  const { outcome, at } = ended
  return createExecution(
    { jobId, timeoutMs: place.timeoutMs, background: place.background, summary: "" },
    {
      journal: taken.journal,
      processes,
      now,
      mask: (text) => maskText(mask([]), text),
      outputLimitBytes,
      past: { ...(outcome === undefined ? {} : { outcome }), finishedAt: at },
      spool: createJobSpool({
        directory: spoolDirectory(taken.directory, jobId),
        capBytes: ports.spoolJobBytes,
        mask,
        secrets: [],
        resumed: true,
      }),
      launch: async () => adoptedLaunch(jobId, { run, place, found: { leftovers: true } }, { processes, now }),
    },
  )
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
