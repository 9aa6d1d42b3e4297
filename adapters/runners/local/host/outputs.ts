import type { StreamName } from "../../../../core/jobs/record.ts"
import type { JobSpool } from "./job-spool.ts"
import { type LatePipeReader, readPipeLate } from "./pipe-reader.ts"

/** Output of a command that is over sooner is read once, at its end. */
const WATCH_AFTER_MS = 2

/** The pipes of one command on their way into its spool. */
export interface Outputs {
  /** Begins to read; the descriptors are ours from now on. A stream without one brings nothing. */
  open(descriptors: Readonly<Partial<Record<StreamName, number>>>): void
  /** Stores what is in the pipes now; end of file is never waited for (spec exec-and-jobs.md §8.3). */
  drain(): void
  /** Stops reading; what the mask held back is stored. */
  close(): void
  /** Whether a pipe can still bring bytes. */
  isOpen(): boolean
  /** Whether each pipe was read to the end of its last writer. */
  wereEmptied(): boolean
}

/** Connects pipes and spool; `changed` is called after bytes were stored and after a stream ended. */
export function createOutputs(spool: JobSpool, changed: () => void): Outputs {
  const readers = new Map<StreamName, LatePipeReader>()
  const emptied = new Set<StreamName>()
  let watching: ReturnType<typeof setTimeout> | undefined

  function closeStream(stream: StreamName): void {
    const reader = readers.get(stream)
    if (reader === undefined) return
    readers.delete(stream)
    if (readers.size === 0) clearTimeout(watching)
    reader.close()
    spool.finish(stream)
    changed()
  }

  function read(stream: StreamName, fd: number): void {
    const reader = readPipeLate(fd, {
      data(chunk) {
        spool.accept(stream, chunk)
        changed()
      },
      end() {
        emptied.add(stream)
        closeStream(stream)
      },
    })
    readers.set(stream, reader)
  }

  return {
    open(descriptors) {
      for (const stream of ["stdout", "stderr"] as const) {
        const fd = descriptors[stream]
        if (fd !== undefined) read(stream, fd)
      }
      watching = setTimeout(() => {
        for (const reader of [...readers.values()]) reader.watch()
      }, WATCH_AFTER_MS)
    },
    drain() {
      for (const reader of [...readers.values()]) reader.drain()
    },
    close() {
      for (const stream of [...readers.keys()]) closeStream(stream)
    },
    isOpen: () => readers.size > 0,
    wereEmptied: () => emptied.size === 2,
  }
}
