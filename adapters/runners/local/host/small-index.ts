import { closeSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs"
import { basename, dirname } from "node:path"
import { encodeLeft, listSmallFiles, readSmallFile, type SmallPieces } from "./small-file.ts"

/** Finds what Jobs that wrote little have written; `directory` is that of the Job's spool, were it a larger one. */
export interface SmallIndex {
  find(directory: string): SmallPieces | undefined
}

/** Remembers which Jobs are in which file, so that files which do not grow any more are read once. */
export function createSmallIndex(): SmallIndex {
  const known = new Map<string, { readonly size: number; readonly jobs: ReadonlySet<string> }>()

  function jobsIn(path: string): ReadonlySet<string> {
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) {
      known.delete(path)
      return new Set()
    }
    const before = known.get(path)
    if (before?.size === size) return before.jobs
    const jobs = new Set(readSmallFile(path).jobs.keys())
    known.set(path, { size, jobs })
    return jobs
  }

  return {
    find(directory) {
      const job = basename(directory)
      const path = listSmallFiles(dirname(directory)).find((file) => jobsIn(file).has(job))
      return path === undefined ? undefined : readSmallFile(path).jobs.get(job)
    },
  }
}

/** What was found is in files of its own by now; the host whose file it is must be gone. Throws the system's error. */
export function leaveSmallFile({ stdout, stderr }: SmallPieces, directory: string): void {
  const path = (stdout[0] ?? stderr[0])?.place?.path
  if (path === undefined) return
  const record = encodeLeft(basename(directory))
  const { end } = readSmallFile(path)
  const fd = openSync(path, "r+")
  try {
    ftruncateSync(fd, end)
    writeSync(fd, record, 0, record.length, end)
  } finally {
    closeSync(fd)
  }
}
