import { type JobId, jobIdSchema } from "../../../../../core/kernel/ids.ts"
import { type ByteMaskFactory, maskText } from "../byte-mask.ts"
import { createExecution, type Execution } from "../execution.ts"
import { createJobSpool, spoolDirectory } from "../job-spool.ts"
import type { JournalledPlace, JournalledRun } from "../journal.ts"
import type { ProcessTable } from "../process-table.ts"
import { summaryOf } from "../summary.ts"
import { adoptedLaunch } from "./adopted-launch.ts"
import { findProcess } from "./find-process.ts"
import { recollect } from "./recollect.ts"
import type { TakenHost } from "./taken-host.ts"

/** What the adopting host gives. */
export interface AdoptionPorts {
  readonly processes: ProcessTable
  readonly mask: ByteMaskFactory
  readonly spoolJobBytes: number
  readonly outputLimitBytes: number
  now(): number
  /** Looks after it from now on, as after its own. */
  add(execution: Execution): void
}

/**
 * Goes on with the one-shots of a host that is gone: what still runs is read, timed and stopped as before, and ends as
 * `unknown` `supervisor_lost` with the true time and all output; what has gone meanwhile ends so at once (spec
 * exec-and-jobs.md §6.2). Resolves when each is in the table.
 */
export async function adoptJobs(taken: TakenHost, ports: AdoptionPorts): Promise<void> {
  const boot = ports.processes.bootId()
  for (const [id, run] of taken.runs) {
    const jobId = jobIdSchema.safeParse(id).data
    const { place } = run.accepted
    if (jobId === undefined || place === undefined || run.ended !== undefined || run.accepted.boot !== boot) continue
    const execution = adopted(jobId, { taken, run, place }, ports)
    ports.add(execution)
    taken.holdUntil(execution.quiet)
    await execution.launch()
  }
}

function adopted(
  jobId: JobId,
  { taken, run, place }: { readonly taken: TakenHost; readonly run: JournalledRun; readonly place: JournalledPlace },
  ports: AdoptionPorts,
): Execution {
  const { processes, mask, spoolJobBytes, outputLimitBytes, now } = ports
  const found = findProcess(processes, jobId, run)
  const { text, secrets } = recollect(processes, found.main?.pid)
  const masked = (shown: string): string => maskText(mask(secrets), shown)
  const { timeoutMs, background } = place
  return createExecution(
    { jobId, timeoutMs, background, summary: summaryOf(text, masked) },
    {
      journal: taken.journal,
      processes,
      now,
      mask: masked,
      outputLimitBytes,
      spool: createJobSpool({
        directory: spoolDirectory(taken.directory, jobId),
        capBytes: spoolJobBytes,
        mask,
        secrets,
        resumed: true,
      }),
      launch: async () => adoptedLaunch(jobId, { run, place, found }, { processes, now }),
    },
  )
}
