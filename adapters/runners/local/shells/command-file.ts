import { closeSync, fstatSync, ftruncateSync, futimesSync, openSync, writeSync } from "node:fs"

/** The text of one command where its shell reads it. */
export interface CommandFile {
  /** Whether somebody has read it: proof of start (spec shells.md §5.2). */
  wasRead(): boolean
}

/** The file from which one generation of a shell reads its texts, one after the other. */
export interface CommandFiles {
  /** Writes exactly these bytes; the access time is 0 until somebody reads them. */
  write(text: string | Uint8Array): CommandFile
  /** What another host wrote last; without a file nothing tells whether it was read. */
  resume(): CommandFile
  close(): void
}

/**
 * One file for all, kept open: making one for each command costs as much as the rest of its frame. It is cut only when a
 * text is shorter than the last one, and never to nothing, which is what file systems are slow at.
 */
export function createCommandFiles(path: string): CommandFiles {
  let fd: number | undefined
  let length = 0

  const wasRead = (): boolean => fd === undefined || fstatSync(fd).atimeMs !== 0

  return {
    write(text) {
      fd ??= openSync(path, "w", 0o600)
      const bytes = typeof text === "string" ? Buffer.from(text) : text
      writeAll(fd, bytes)
      if (bytes.length < length) ftruncateSync(fd, bytes.length)
      length = bytes.length
      futimesSync(fd, 0, 0)
      return { wasRead }
    },
    resume() {
      try {
        fd ??= openSync(path, "r+")
        length = fstatSync(fd).size
      } catch {
        // Gone, or never written: then its having been read cannot be told, and is taken for granted.
      }
      return { wasRead }
    },
    close() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
    },
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done)
}
