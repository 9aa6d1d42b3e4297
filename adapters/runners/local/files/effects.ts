import { constants, copyFileSync, fsync, linkSync, rmdirSync, unlinkSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { hasErrno } from "./errno.ts"

const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"]

/** Makes a second name for a file, or a copy where the file system has no hard links; never overwrites. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!hasErrno(error, NO_LINKS)) throw error
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  }
}

/** Removes a name; one that is already gone is fine. */
export function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!hasErrno(error, ["ENOENT"])) throw error
  }
}

/** Removes a directory that nobody has put anything into. */
export function rmdirIfEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch (error) {
    if (!hasErrno(error, ["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"])) throw error
  }
}

/** Makes the content of an open file, or the names in an open directory, durable. */
export function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => (error === null ? resolve() : reject(error)))
  })
}

/** Opens a file for one task and closes it whatever happens. */
export async function withFile<T>(
  path: string,
  how: { readonly flags: number; readonly mode?: number },
  task: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, how.flags, how.mode)
  try {
    return await task(file)
  } finally {
    await file.close()
  }
}
