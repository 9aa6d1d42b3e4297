import { type JobId, jobIdSchema } from "../../../../../core/kernel/ids.ts"
import { maskText } from "../byte-mask.ts"
import { createExecution, type Execution } from "../execution.ts"
import { createJobSpool, spoolDirectory } from "../job-spool.ts"
import type { JournalledPlace, JournalledRun } from "../journal.ts"
import { summaryOf } from "../summary.ts"
import { adoptFarJob } from "./adopt-far-jobs.ts"
import { adoptedLaunch } from "./adopted-launch.ts"
import { type AdoptionPorts, pastOf } from "./adoption-ports.ts"
import { type FoundProcess, findProcess } from "./find-process.ts"
import { recollect } from "./recollect.ts"
import type { TakenHost } from "./taken-host.ts"

/**
 * Goes on with the one-shots of a host that is gone: what still runs is read, timed and stopped as before, and ends as
 * `unknown` `supervisor_lost` with the true time and all output; what has gone meanwhile ends so at once, and what lives on of
 * one that had ended is read on (spec exec-and-jobs.md §6.2, §8.3). Resolves when each is in the table.
 */
export async function adoptJobs(taken: TakenHost, ports: AdoptionPorts): Promise<void> {
  const boot = ports.processes.bootId()
  for (const [id, run] of taken.runs) {
    const jobId = jobIdSchema.safeParse(id).data
    const { place } = run.accepted
    if (jobId === undefined || place === undefined || run.accepted.boot !== boot) continue
    if (place.far === true) {
      const execution = adoptFarJob(jobId, { taken, run, place }, ports)
      if (execution !== undefined) await takeOn(execution, taken, ports)
      continue
    }
    if (run.ended !== undefined && place.background === "end") continue
    const found = findProcess(ports.processes, jobId, run)
    if (run.ended !== undefined && !found.leftovers) continue
    await takeOn(adopted(jobId, { taken, run, place, found }, ports), taken, ports)
  }
}

async function takeOn(execution: Execution, taken: TakenHost, ports: AdoptionPorts): Promise<void> {
  ports.add(execution)
  taken.holdUntil(execution.quiet)
  await execution.launch()
}

interface Found {
  readonly taken: TakenHost
  readonly run: JournalledRun
  readonly place: JournalledPlace
  readonly found: FoundProcess
}

function adopted(jobId: JobId, { taken, run, place, found }: Found, ports: AdoptionPorts): Execution {
  const { processes, mask, spoolJobBytes, outputLimitBytes, now } = ports
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
      ...(run.ended === undefined ? {} : { past: pastOf(run.ended) }),
      launch: async () => adoptedLaunch(jobId, { run, place, found }, { processes, now }),
    },
  )
}
