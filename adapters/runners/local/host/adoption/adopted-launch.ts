import type { StreamName } from "../../../../../core/jobs/record.ts"
import type { JournalledPlace, JournalledRun } from "../journal.ts"
import type { Exit, Launched } from "../launch.ts"
import { jobPipePath, openPipeForReading, removeJobPipes } from "../pipes.ts"
import { removeScripts } from "../private-files.ts"
import { isRunning, type ProcessTable } from "../process-table.ts"
import type { FoundProcess } from "./find-process.ts"

/** How often a process that is not our child is looked at. */
const LOOK_EVERY_MS = 100
/** The parent that could have been told is gone. */
const UNKNOWN: Exit = { code: null, signal: null, lost: "supervisor_lost" }

/**
 * A process that a host which is gone had started, as if it had been launched here: its pipes are opened again by their names,
 * and its end is seen by looking, since only a parent is told of it (spec exec-and-jobs.md §6.2).
 */
export function adoptedLaunch(
  jobId: string,
  { run, place, found }: { readonly run: JournalledRun; readonly place: JournalledPlace; readonly found: FoundProcess },
  { processes, now }: { readonly processes: ProcessTable; now(): number },
): Launched {
  const { main } = found
  const startedAt = run.started?.at ?? run.accepted.at
  const isAlive = (): boolean => main !== undefined && isRunning(processes, main)
  let looking: ReturnType<typeof setInterval> | undefined
  return {
    ...(main === undefined ? {} : { main }),
    startedAt,
    livedMs: Math.max(0, now() - startedAt),
    descriptors: openPipes(place.runtime, jobId),
    isAlive,
    onExit(heard) {
      looking = setInterval(
        () => {
          if (isAlive()) return
          clearInterval(looking)
          heard(UNKNOWN)
        },
        main === undefined ? 0 : LOOK_EVERY_MS,
      )
    },
    release: () => clearInterval(looking),
    removeScript: () => removeScripts(place.runtime, jobId),
    removePipes: () => removeJobPipes(place.runtime, jobId),
  }
}

function openPipes(runtime: string, jobId: string): Launched["descriptors"] {
  const open = (stream: StreamName) => {
    const fd = openPipeForReading(jobPipePath(runtime, jobId, stream))
    return fd === undefined ? {} : { [stream]: fd }
  }
  return { ...open("stdout"), ...open("stderr") }
}
