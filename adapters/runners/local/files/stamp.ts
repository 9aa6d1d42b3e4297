import type { BigIntStats } from "node:fs"
import type { EntryKind, FileStamp } from "../../../../core/files/fs.ts"

/** Permission bits that an edit keeps. */
export const PERMISSION_BITS = 0o7777

/** Device and inode, as text. */
export const identityOf = (stat: BigIntStats): string => `${stat.dev}:${stat.ino}`

/** Identity and state of a regular file. */
export function stampOf(stat: BigIntStats): FileStamp {
  return {
    identity: identityOf(stat),
    sizeBytes: Number(stat.size),
    version: `${identityOf(stat)}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`,
    mode: Number(stat.mode) & PERMISSION_BITS,
    hardLinks: Number(stat.nlink),
  }
}

/** What an object is, links not followed. */
export function kindOf(stat: Pick<BigIntStats, "isFile" | "isDirectory" | "isSymbolicLink">): EntryKind {
  if (stat.isFile()) return "file"
  if (stat.isDirectory()) return "directory"
  return stat.isSymbolicLink() ? "symlink" : "other"
}

/** The type of an object that is no regular file, as errors name it. */
export function typeOf(stat: BigIntStats): string {
  if (stat.isDirectory()) return "directory"
  if (stat.isFIFO()) return "fifo"
  if (stat.isSocket()) return "socket"
  return stat.isSymbolicLink() ? "symlink" : "device"
}
