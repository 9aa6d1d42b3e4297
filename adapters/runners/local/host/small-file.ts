import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { StreamName } from "../../../../core/jobs/record.ts"
import type { Segment } from "./spool-files.ts"

/** Kind, length of the Job's name, offset in the stream, size; then name and bytes. */
const HEADER_BYTES = 1 + 1 + 6 + 4
const STREAMS = ["stdout", "stderr"] as const
/** Kind of a record that says: what this Job wrote before is in files of its own. */
const LEFT = STREAMS.length
const PREFIX = "small-"

/** What one file of small outputs still holds of one Job. */
export type SmallPieces = Readonly<Record<StreamName, readonly Segment[]>>

/** Name of a host's nth file of small outputs, in its folder of spools. */
export function smallFileName(number: number): string {
  return `${PREFIX}${number}`
}

/** Whether a name in a folder of spools is that of a file of small outputs. */
export function isSmallFile(name: string): boolean {
  return name.startsWith(PREFIX)
}

/** Paths of all files of small outputs in a folder of spools. */
export function listSmallFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(isSmallFile)
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** One piece of a stream as it stands in the file, and where in the record its bytes begin. */
export function encodePiece(
  job: string,
  { stream, from, bytes }: { readonly stream: StreamName; readonly from: number; readonly bytes: Uint8Array },
): { readonly record: Uint8Array; readonly base: number } {
  const record = recordOf(job, { kind: STREAMS.indexOf(stream), from, bytes })
  return { record, base: record.length - bytes.length }
}

/** The record which says that nothing of a Job is here any more. */
export function encodeLeft(job: string): Uint8Array {
  return recordOf(job, { kind: LEFT, from: 0, bytes: new Uint8Array(0) })
}

function recordOf(
  job: string,
  { kind, from, bytes }: { readonly kind: number; readonly from: number; readonly bytes: Uint8Array },
): Buffer {
  const record = Buffer.allocUnsafe(HEADER_BYTES + job.length + bytes.length)
  record.writeUInt8(kind, 0)
  record.writeUInt8(job.length, 1)
  record.writeUIntBE(from, 2, 6)
  record.writeUInt32BE(bytes.length, 8)
  record.write(job, HEADER_BYTES, "latin1")
  record.set(bytes, HEADER_BYTES + job.length)
  return record
}

/** The Jobs of one file and their pieces, in order, and where its whole records end: a death may have torn the last one. */
export function readSmallFile(path: string): { readonly jobs: ReadonlyMap<string, SmallPieces>; readonly end: number } {
  const content = contentOf(path)
  const jobs = new Map<string, Record<StreamName, Segment[]>>()
  let at = 0
  while (at + HEADER_BYTES <= content.length) {
    const base = at + HEADER_BYTES + content.readUInt8(at + 1)
    const size = content.readUInt32BE(at + 8)
    if (base + size > content.length) break
    const job = content.toString("latin1", at + HEADER_BYTES, base)
    const stream = STREAMS[content.readUInt8(at)]
    if (stream === undefined) jobs.delete(job)
    else {
      const pieces = jobs.get(job) ?? { stdout: [], stderr: [] }
      pieces[stream].push({ from: content.readUIntBE(at + 2, 6), size, place: { path, base } })
      jobs.set(job, pieces)
    }
    at = base + size
  }
  return { jobs, end: at }
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}
