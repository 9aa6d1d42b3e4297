import { existsSync } from "node:fs"
import { StreamCounter } from "../../../../core/jobs/output/totals.ts"
import type { StreamName, StreamTotals } from "../../../../core/jobs/record.ts"
import type { PastRun, SpoolPage } from "../../../../core/jobs/runner.ts"
import { spoolDirectory } from "./job-spool.ts"
import type { JournalledRun } from "./journal.ts"
import { readJournal } from "./journal.ts"
import { hostDirectory, isHostAlive, listHosts } from "./owner.ts"
import type { ProcessTable } from "./process-table.ts"
import { listSegments, readSegments } from "./spool-files.ts"

const COUNT_CHUNK = 1_048_576

/** What the directories of all hosts still tell about Jobs that this host no longer holds in memory. */
export interface Archive {
  read(jobId: string, stream: StreamName, range: { readonly from: number; readonly max: number }): SpoolPage | undefined
  /** How the run of a host that is gone ended. */
  recall(hostId: string, jobId: string): PastRun
}

/** Reads `<data>/runner/*`. */
export function createArchive(dataDirectory: string, processes: ProcessTable): Archive {
  function directoryOf(jobId: string): string | undefined {
    return listHosts(dataDirectory)
      .map((hostId) => spoolDirectory(hostDirectory(dataDirectory, hostId), jobId))
      .find((directory) => existsSync(directory))
  }

  return {
    read(jobId, stream, { from, max }) {
      const directory = directoryOf(jobId)
      return directory === undefined ? undefined : readStored(directory, stream, { from, max })
    },
    recall(hostId, jobId) {
      const host = hostDirectory(dataDirectory, hostId)
      if (isHostAlive(host, processes)) return { state: "alive" }
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

function readStored(
  directory: string,
  stream: StreamName,
  range: { readonly from: number; readonly max: number },
): SpoolPage {
  const segments = existsSync(directory) ? listSegments(directory, stream) : []
  const last = segments.at(-1)
  const total = last === undefined ? 0 : last.from + last.size
  return readSegments({ directory, stream }, segments, { ...range, total })
}

/** The best that can be known of a stream whose host died: what it had stored (spec exec-and-jobs.md §6.2). */
function recount(directory: string, stream: StreamName): StreamTotals {
  const counter = new StreamCounter()
  let at = 0
  for (;;) {
    const page = readStored(directory, stream, { from: at, max: COUNT_CHUNK })
    counter.push(page.bytes)
    at = page.from + page.bytes.length
    if (page.bytes.length > 0) continue
    return {
      bytes_total: page.total,
      lines_total: counter.lines,
      dropped_bytes: page.total - counter.bytes,
      masked: 0,
    }
  }
}
