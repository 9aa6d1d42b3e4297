import { type BigIntStats, constants } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { isSameObject } from "./directory.ts"
import { withFile } from "./effects.ts"
import { pathChanged } from "./errno.ts"

const WRITE_FLAGS = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW

async function writeFrom(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let position = 0; position < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, position, bytes.length - position, position)
    position += bytesWritten
  }
}

/**
 * Exchanges the content of a file that cannot be replaced as a name: front to back, truncated last, so that a killed
 * write leaves a state that `isPartWritten` recognises (files-and-git.md §4.4).
 */
export async function writeInPlace(path: string, seen: BigIntStats, bytes: Uint8Array): Promise<void> {
  await withFile(path, { flags: WRITE_FLAGS }, async (file) => {
    if (!isSameObject(seen, await file.stat({ bigint: true }))) throw pathChanged()
    await writeFrom(file, bytes)
    await file.truncate(bytes.length)
    await file.sync()
  })
}

function commonFrom(a: Uint8Array, b: Uint8Array, from: number): number {
  let at = from
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

/**
 * Whether bytes are what a killed write in place can leave: old up to some point (a killed restore), then new, then old,
 * or new with the old tail not yet cut off.
 */
export function isPartWritten(bytes: Uint8Array, oldBytes: Uint8Array, newBytes: Uint8Array): boolean {
  const restored = commonFrom(bytes, oldBytes, 0)
  const written = commonFrom(bytes, newBytes, restored)
  return commonFrom(bytes, oldBytes, written) === bytes.length
}
