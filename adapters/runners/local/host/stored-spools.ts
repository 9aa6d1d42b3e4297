import { existsSync, statSync } from "node:fs"
import type { StreamName } from "../../../../core/jobs/record.ts"
import { spoolDirectory } from "./job-spool.ts"
import { hostDirectory, listHosts } from "./owner.ts"
import { createSmallIndex } from "./small-index.ts"
import { listOwnSegments, type Segment, segmentPath } from "./spool-files.ts"

/** Where what one Job wrote lies. */
export interface StoredSpool {
  readonly directory: string
  readonly segments: Readonly<Record<StreamName, readonly Segment[]>>
}

/** Finds what Jobs wrote that no host of this process holds in memory. */
export interface StoredSpools {
  /** `undefined` where nothing is kept. What it names can be evicted by the time it is read. */
  find(jobId: string): StoredSpool | undefined
  /** It turned out not to be there any more. */
  forget(jobId: string): void
}

interface Remembered extends StoredSpool {
  readonly changedMs: number
  /** When it was last looked at, by the monotonic clock. */
  seenAt: number
}

const MAX_REMEMBERED = 64
/** Within this time of a change another one may bear the same time of the file system. */
const SAME_MS = 100
/** A reader of many pages does not look again for each. */
const TRUSTED_MS = 20

/**
 * Over all hosts of a data directory. A page of a large spool costs the same whatever its size: what was listed once is
 * listed again only when its directory or a last segment has changed. `now` is the wall clock, ms.
 */
export function createStoredSpools(dataDirectory: string, now: () => number): StoredSpools {
  const small = createSmallIndex()
  const known = new Map<string, Remembered>()

  function locate(jobId: string): StoredSpool | undefined {
    for (const hostId of listHosts(dataDirectory)) {
      const directory = spoolDirectory(hostDirectory(dataDirectory, hostId), jobId)
      // As long as a file of small outputs has them they are whole there: what leaves it is moved out before.
      const pieces = small.find(directory)
      if (pieces !== undefined) return { directory, segments: pieces }
      if (existsSync(directory)) return remember(jobId, directory)
    }
    return undefined
  }

  function remember(jobId: string, directory: string): StoredSpool {
    const changedMs = changeOf(directory) ?? Number.POSITIVE_INFINITY
    const segments = { stdout: listOwnSegments(directory, "stdout"), stderr: listOwnSegments(directory, "stderr") }
    const spool = { directory, segments, changedMs, seenAt: performance.now() }
    if (now() - changedMs < SAME_MS) return spool
    known.set(jobId, spool)
    const [oldest] = known.keys()
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest)
    return spool
  }

  return {
    find(jobId) {
      const before = known.get(jobId)
      if (before !== undefined && isAsItWas(before)) return before
      known.delete(jobId)
      return locate(jobId)
    },
    forget: (jobId) => void known.delete(jobId),
  }
}

function isAsItWas(spool: Remembered): boolean {
  const { directory, segments, changedMs } = spool
  const now = performance.now()
  if (now - spool.seenAt < TRUSTED_MS) return true
  if (changeOf(directory) !== changedMs) return false
  spool.seenAt = now
  return (["stdout", "stderr"] as const).every((stream) => {
    const last = segments[stream].at(-1)
    const size = last && statSync(segmentPath(directory, stream, last.from), { throwIfNoEntry: false })?.size
    return size === last?.size
  })
}

function changeOf(directory: string): number | undefined {
  return statSync(directory, { throwIfNoEntry: false })?.mtimeMs
}
