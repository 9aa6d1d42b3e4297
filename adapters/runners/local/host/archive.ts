import type { StreamName, StreamTotals } from "../../../../core/jobs/record.ts"
import type { PastRun, SpoolPage } from "../../../../core/jobs/runner.ts"
import { spoolDirectory } from "./job-spool.ts"
import type { JournalledRun } from "./journal.ts"
import { readJournal } from "./journal.ts"
import { hostDirectory, isHostAlive } from "./owner.ts"
import type { ProcessTable } from "./process-table.ts"
import { createStoredSpools } from "./stored-spools.ts"
import { readStoredPage, storedStream } from "./stored-stream.ts"

/** What the directories of all hosts still tell about Jobs that this host no longer holds in memory. */
export interface Archive {
  read(jobId: string, stream: StreamName, range: { readonly from: number; readonly max: number }): SpoolPage | undefined
  /** How the run of a host that is gone ended. */
  recall(hostId: string, jobId: string): PastRun
}

/** Reads `<data>/runner/*`. Of hosts that this process holds, its own and those it took over, the journal tells all. */
export function createArchive(
  dataDirectory: string,
  processes: ProcessTable,
  { isHeld, now }: { isHeld(hostId: string): boolean; now(): number },
): Archive {
  const spools = createStoredSpools(dataDirectory, now)
  const page: Archive["read"] = (jobId, stream, range) => {
    const spool = spools.find(jobId)
    return spool && readStoredPage(spool.directory, stream, { ...range, segments: spool.segments[stream] })
  }

  return {
    read(jobId, stream, range) {
      try {
        return page(jobId, stream, range)
      } catch {
        // It was evicted, or a part of it dropped, since it was looked for.
        spools.forget(jobId)
        return page(jobId, stream, range)
      }
    },
    recall(hostId, jobId) {
      const host = hostDirectory(dataDirectory, hostId)
      if (!isHeld(hostId) && isHostAlive(host, processes)) return { state: "alive" }
      const run = readJournal(host).get(jobId)
      if (run === undefined) return { state: "never_accepted" }
      if (run.ended !== undefined) return endedRun(run, run.ended)
      const directory = spoolDirectory(host, jobId)
      return {
        state: run.accepted.boot === processes.bootId() ? "supervisor_lost" : "machine_restarted",
        ...(run.started === undefined ? {} : { startedAt: run.started.at }),
        totals: { stdout: recount(directory, "stdout"), stderr: recount(directory, "stderr") },
      }
    },
  }
}

function endedRun(run: JournalledRun, ended: NonNullable<JournalledRun["ended"]>): PastRun {
  return {
    state: "ended",
    ...(run.started === undefined ? {} : { startedAt: run.started.at }),
    finishedAt: ended.at,
    ...(ended.outcome === undefined ? {} : { outcome: ended.outcome }),
    totals: ended.totals,
    outputGap: ended.gap,
  }
}

/** What a host that died had stored of a stream. */
function recount(directory: string, stream: StreamName): StreamTotals {
  const { segments, counter } = storedStream(directory, stream)
  const stored = segments.reduce((sum, { size }) => sum + size, 0)
  return {
    bytes_total: counter.bytes,
    lines_total: counter.lines,
    dropped_bytes: counter.bytes - stored,
    masked: 0,
  }
}
