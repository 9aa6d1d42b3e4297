import { createHash } from "node:crypto"
import { type BigIntStats, closeSync, constants, fstatSync, openSync, read as readCallback, readSync } from "node:fs"
import type { ByteSink, FileStamp } from "../../../../core/files/fs.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import { isSameObject } from "./directory.ts"
import { accessError, guarded, pathChanged } from "./errno.ts"
import { stampOf, typeOf } from "./stamp.ts"

const CHUNK_BYTES = 1024 * 1024
const MAX_PASSES = 4
const FILE_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

/** What one consistent pass over a file gave. */
export interface BytesRead<T> {
  readonly stamp: FileStamp
  readonly sha256: string
  readonly content: T
}

/** How a file is passed over. */
export interface PassOptions<T> {
  readonly limitBytes: number
  sink(stamp: FileStamp): ByteSink<T>
  readonly signal?: AbortSignal
}

const tooLarge = (size: number, limit: number): ToolError =>
  new ToolError("file_too_large", "The file is too large for this tool; use a shell, or search it.", {
    details: { size_bytes: size, limit_bytes: limit },
  })

/** Opens a regular file that was just looked at, without blocking and never through a link. */
export function openRegular(path: string, seen: BigIntStats): number {
  if (!seen.isFile()) {
    throw new ToolError("not_regular_file", `The path is a ${typeOf(seen)}, not a regular file; it is never opened.`, {
      details: { type: typeOf(seen) },
    })
  }
  const fd = guarded(() => openSync(path, FILE_FLAGS))
  if (isSameObject(seen, fstatSync(fd, { bigint: true }))) return fd
  closeSync(fd)
  throw pathChanged()
}

function readAsync(fd: number, buffer: Buffer, offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    readCallback(fd, buffer, offset, buffer.length - offset, null, (error, bytes) =>
      error === null ? resolve(bytes) : reject(accessError(error)),
    )
  })
}

/** Fills the buffer or reaches the end of the file; a small file is not worth a turn of the thread pool. */
async function fill(fd: number, buffer: Buffer, small: boolean): Promise<number> {
  let length = 0
  while (length < buffer.length) {
    const from = length
    const bytes = small
      ? guarded(() => readSync(fd, buffer, from, buffer.length - from, null))
      : await readAsync(fd, buffer, from)
    if (bytes === 0) break
    length += bytes
  }
  return length
}

async function pass<T>(fd: number, before: BigIntStats, options: PassOptions<T>): Promise<BytesRead<T> | undefined> {
  const stamp = stampOf(before)
  if (stamp.sizeBytes > options.limitBytes) throw tooLarge(stamp.sizeBytes, options.limitBytes)
  const small = stamp.sizeBytes < CHUNK_BYTES
  const buffer = Buffer.allocUnsafe(small ? stamp.sizeBytes + 1 : CHUNK_BYTES)
  const sink = options.sink(stamp)
  const hash = createHash("sha256")
  let total = 0
  for (;;) {
    options.signal?.throwIfAborted()
    const length = await fill(fd, buffer, small)
    if (length === 0) break
    total += length
    if (total > options.limitBytes) throw tooLarge(total, options.limitBytes)
    const chunk = buffer.subarray(0, length)
    hash.update(chunk)
    sink.push(chunk)
    if (length < buffer.length) break
  }
  if (stampOf(fstatSync(fd, { bigint: true })).version !== stamp.version) return undefined
  return { stamp, sha256: hash.digest("hex"), content: sink.end() }
}

/**
 * Reads a file in one pass over one descriptor; hash and content are of the same bytes (files-and-git.md §2.1).
 * @param open Opens the descriptor afresh for each pass.
 * @throws ToolError `file_too_large`, and `changed_during_read` after three retries.
 */
export async function readBytes<T>(open: () => number, options: PassOptions<T>): Promise<BytesRead<T>> {
  for (let attempt = 0; attempt < MAX_PASSES; attempt += 1) {
    const fd = open()
    try {
      const result = await pass(fd, fstatSync(fd, { bigint: true }), options)
      if (result !== undefined) return result
    } finally {
      closeSync(fd)
    }
  }
  throw new ToolError("changed_during_read", "The file kept changing while it was read; send the same call again.")
}

/** A sink for passes that need the hash alone. */
export const hashOnly = (): ByteSink<undefined> => ({ push: () => undefined, end: () => undefined })

/** SHA-256 of a regular file of any size, or undefined when it is none. */
export async function hashOf(path: string, seen: BigIntStats): Promise<string | undefined> {
  if (!seen.isFile()) return undefined
  const read = await readBytes(() => openRegular(path, seen), { limitBytes: Number.MAX_SAFE_INTEGER, sink: hashOnly })
  return read.sha256
}
