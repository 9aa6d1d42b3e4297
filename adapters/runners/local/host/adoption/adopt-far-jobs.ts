import type { JobId } from "../../../../../core/kernel/ids.ts"
import { learnedLiterals } from "../../../../../core/kernel/redaction/learned.ts"
import { createOneShotExecution } from "../../shells/remote/one-shot/one-shot-execution.ts"
import type { ResumableOneShot } from "../../shells/remote/remote-parts.ts"
import { maskText } from "../byte-mask.ts"
import type { Execution } from "../execution.ts"
import { createJobSpool, spoolDirectory } from "../job-spool.ts"
import type { JournalledPlace, JournalledRun } from "../journal.ts"
import { summaryOf } from "../summary.ts"
import { type AdoptionPorts, pastOf } from "./adoption-ports.ts"
import type { TakenHost } from "./taken-host.ts"

const NOTHING = { bytes_total: 0, lines_total: 0, dropped_bytes: 0, masked: 0 }

/**
 * A command on another machine, whose target keeps its output and its end (spec shells.md §9.1): every byte comes once more, and
 * the end is the real one. `undefined`: it was never given to its target, or is over, or nothing is left to find it by.
 */
export function adoptFarJob(
  jobId: JobId,
  { taken, run, place }: { readonly taken: TakenHost; readonly run: JournalledRun; readonly place: JournalledPlace },
  ports: AdoptionPorts,
): Execution | undefined {
  const found = ports.resumeOneShot(place.runtime, jobId)
  if (found === undefined) return undefined
  const { resume } = found
  if (resume === undefined) {
    if (run.ended === undefined) tellNotSent(jobId, taken, ports.now())
    return undefined
  }
  if (run.ended !== undefined && place.background === "end") {
    // Its host died before it had cleared up there.
    void resume().remove()
    return undefined
  }
  return executionOf(jobId, { taken, run, place, found: { text: found.text, resume } }, ports)
}

function executionOf(
  jobId: JobId,
  from: {
    readonly taken: TakenHost
    readonly run: JournalledRun
    readonly place: JournalledPlace
    readonly found: Required<ResumableOneShot>
  },
  { mask, spoolJobBytes, outputLimitBytes, now }: AdoptionPorts,
): Execution {
  const { taken, run, place, found } = from
  const secrets = learnedLiterals(found.text)
  const masked = (shown: string): string => maskText(mask(secrets), shown)
  const { timeoutMs, background } = place
  return createOneShotExecution(
    { jobId, timeoutMs, background, summary: summaryOf(found.text, masked) },
    {
      start: async () => found.resume(),
      spool: createJobSpool({
        directory: spoolDirectory(taken.directory, jobId),
        capBytes: spoolJobBytes,
        mask,
        secrets,
        resumed: true,
        replay: true,
      }),
      journal: taken.journal,
      mask: masked,
      outputLimitBytes,
      now,
      resumed: {
        startedAt: run.started?.at ?? run.accepted.at,
        ...(run.ended === undefined ? {} : { past: pastOf(run.ended) }),
      },
    },
  )
}

function tellNotSent(job: JobId, { journal }: TakenHost, at: number): void {
  const outcome = { kind: "lost", reason: "never_started" } as const
  journal.append({ e: "ended", job, at, outcome, totals: { stdout: NOTHING, stderr: NOTHING }, gap: false })
}
