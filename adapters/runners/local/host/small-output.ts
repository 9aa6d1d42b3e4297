import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import type { StreamName } from "../../../../core/jobs/record.ts"
import type { Segment } from "./spool-files.ts"

const MAX_BYTES = 8192
const MAX_PIECES = 64
/** Stream, offset in the stream, size. */
const HEADER_BYTES = 1 + 6 + 4
const STREAMS = ["stdout", "stderr"] as const

/**
 * What a Job that writes little has written, both streams in one file: most Jobs write a line or two, and a directory with a
 * file for each stream of each would be made for that (spec exec-and-jobs.md §7.1).
 */
export interface SmallOutput {
  /** Whether so many bytes more have room here. */
  takes(bytes: number): boolean
  /** Throws the system's error. */
  append(stream: StreamName, from: number, bytes: Uint8Array): Segment
  /** Its bytes are elsewhere now. */
  remove(): void
  close(): void
}

/** The file of a Job whose spool directory would be `directory`. */
export function smallOutputPath(directory: string): string {
  return `${directory}.small`
}

/** Pieces of a stream in their order; `undefined` where there is no such file. A piece that a death has torn is none. */
export function listSmallOutput(directory: string, stream: StreamName): readonly Segment[] | undefined {
  const path = smallOutputPath(directory)
  const content = contentOf(path)
  if (content === undefined) return undefined
  const pieces: Segment[] = []
  for (let at = 0; at + HEADER_BYTES <= content.length; ) {
    const size = content.readUInt32BE(at + 7)
    const base = at + HEADER_BYTES
    if (base + size > content.length) break
    if (STREAMS[content.readUInt8(at)] === stream) {
      pieces.push({ from: content.readUIntBE(at + 1, 6), size, place: { path, base } })
    }
    at = base + size
  }
  return pieces
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Begins the file, or (`resumed`) goes on with one that another host has begun. Nothing is made before the first byte. */
export function createSmallOutput(directory: string, resumed: boolean): SmallOutput {
  const path = smallOutputPath(directory)
  const before = resumed ? STREAMS.flatMap((stream) => listSmallOutput(directory, stream) ?? []) : []
  let end = Math.max(0, ...before.map(({ size, place }) => (place?.base ?? 0) + size))
  let bytes = before.reduce((sum, { size }) => sum + size, 0)
  let pieces = before.length
  let fd: number | undefined

  function open(): number {
    const flags = end === 0 ? "w" : "r+"
    try {
      return openSync(path, flags, 0o600)
    } catch {
      // Only the first Job of a host finds no directory.
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      return openSync(path, flags, 0o600)
    }
  }

  function close(): void {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
  }

  return {
    takes: (more) => bytes + more <= MAX_BYTES && pieces < MAX_PIECES,
    append(stream, from, chunk) {
      fd ??= open()
      const record = Buffer.alloc(HEADER_BYTES + chunk.length)
      record.writeUInt8(STREAMS.indexOf(stream), 0)
      record.writeUIntBE(from, 1, 6)
      record.writeUInt32BE(chunk.length, 7)
      record.set(chunk, HEADER_BYTES)
      writeAll(fd, record, end)
      const base = end + HEADER_BYTES
      end += record.length
      bytes += chunk.length
      pieces += 1
      return { from, size: chunk.length, place: { path, base } }
    },
    remove() {
      close()
      rmSync(path, { force: true })
    },
    close,
  }
}

function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done)
  }
}
