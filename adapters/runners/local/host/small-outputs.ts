import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { StreamName } from "../../../../core/jobs/record.ts"
import { encodeLeft, encodePiece, smallFileName } from "./small-file.ts"
import type { Segment } from "./spool-files.ts"

/** Of one Job; what writes more has files of its own. */
const MAX_JOB_BYTES = 8192
const MAX_JOB_PIECES = 64
/** Of one file, before the next Job gets another one. */
const MAX_FILE_BYTES = 131_072
const MAX_FILE_JOBS = 256
/** A file takes no new Jobs after this time, and Jobs that still write leave it, so that it can be evicted. */
const MAX_FILE_MS = 600_000

/** The place of one Job that has written little so far. */
export interface SmallOutput {
  /** Whether so many bytes more have room here. */
  takes(bytes: number): boolean
  /** Throws the system's error. */
  append(stream: StreamName, from: number, bytes: Uint8Array): Segment
  /** Its bytes are elsewhere now. Throws the system's error. */
  leave(): void
  /** It writes no more. */
  close(): void
}

/**
 * What the Jobs of a host that write little have written, many Jobs in one file: most write a line or two, and making a file
 * for each costs more than anything else about a quick command (spec exec-and-jobs.md §7.1).
 */
export interface SmallOutputs {
  /** `vacate` moves out what the Job has here. */
  of(job: string, vacate: () => void): SmallOutput
  /** Whether somebody can still write into this file. */
  isInUse(path: string): boolean
  /** A file without writers is given up, and one that has been in use for long is left by them. */
  settle(): void
  close(): void
}

interface SmallFile {
  readonly path: string
  readonly fd: number
  readonly since: number
  readonly users: Map<string, () => void>
  end: number
  jobs: number
}

/** Files in one folder, each opened when its first Job writes. */
export function createSmallOutputs(folder: string, now: () => number): SmallOutputs {
  const files = new Map<string, SmallFile>()
  let current: SmallFile | undefined
  let made = 0

  function open(): SmallFile {
    const path = join(folder, smallFileName(made))
    made += 1
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const fd = openSync(path, "wx", 0o600)
    const file = { path, fd, since: now(), users: new Map<string, () => void>(), end: 0, jobs: 0 }
    files.set(path, file)
    return file
  }

  function closeIfDone(file: SmallFile): void {
    if (file === current || file.users.size > 0 || !files.delete(file.path)) return
    closeSync(file.fd)
  }

  function replaceCurrent(fresh: SmallFile | undefined): void {
    const last = current
    current = fresh
    if (last !== undefined) closeIfDone(last)
  }

  function fileForNextJob(): SmallFile {
    const hasRoom = current !== undefined && current.end < MAX_FILE_BYTES && current.jobs < MAX_FILE_JOBS
    const file = current !== undefined && hasRoom ? current : open()
    if (file !== current) replaceCurrent(file)
    file.jobs += 1
    return file
  }

  return {
    of(job, vacate) {
      let file: SmallFile | undefined
      let bytes = 0
      let pieces = 0

      function close(): void {
        const left = file
        file = undefined
        if (left === undefined) return
        left.users.delete(job)
        closeIfDone(left)
      }

      return {
        takes: (more) => bytes + more <= MAX_JOB_BYTES && pieces < MAX_JOB_PIECES,
        append(stream, from, chunk) {
          if (file === undefined) {
            file = fileForNextJob()
            file.users.set(job, vacate)
          }
          const { record, base } = encodePiece(job, { stream, from, bytes: chunk })
          const place = { path: file.path, base: file.end + base }
          write(file, record)
          bytes += chunk.length
          pieces += 1
          return { from, size: chunk.length, place }
        },
        leave() {
          if (file !== undefined) write(file, encodeLeft(job))
          close()
        },
        close,
      }
    },
    isInUse: (path) => files.has(path),
    settle() {
      const old = [...files.values()].filter(({ since }) => now() - since > MAX_FILE_MS)
      if (current?.users.size === 0 || (current !== undefined && old.includes(current))) replaceCurrent(undefined)
      for (const { users } of old) for (const vacate of [...users.values()]) tryTo(vacate)
    },
    close() {
      current = undefined
      for (const { fd } of files.values()) closeSync(fd)
      files.clear()
    },
  }
}

function tryTo(vacate: () => void): void {
  try {
    vacate()
  } catch {
    // Such as on a full disk: its bytes stay where they are, and the next time is as good.
  }
}

function write(file: SmallFile, record: Uint8Array): void {
  for (let done = 0; done < record.length; ) {
    done += writeSync(file.fd, record, done, record.length - done, file.end + done)
  }
  file.end += record.length
}
