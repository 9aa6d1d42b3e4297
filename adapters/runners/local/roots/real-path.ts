import { lstat, realpath, stat } from "node:fs/promises"
import path from "node:path"

/** What stands at a path, with the real path of its deepest existing ancestor plus the rest. */
export interface Found {
  readonly realPath: string
  readonly kind: "directory" | "other" | "missing"
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

const ABSENT = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"]

/** Nothing there, a file in the way of a directory, or a name that no file can have: there is nothing at the path. */
const isAbsent = (error: unknown): boolean => ABSENT.some((code) => code === codeOf(error))

async function exists(place: string): Promise<boolean> {
  try {
    await lstat(place)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** The real path of the deepest ancestor that exists, with what follows it appended. */
async function deepest(place: string): Promise<string> {
  try {
    return await realpath(place)
  } catch (error) {
    if (!isAbsent(error)) throw error
    const parent = path.dirname(place)
    return parent === place ? place : path.join(await deepest(parent), path.basename(place))
  }
}

/**
 * Looks at an absolute path, following links. A dangling or looping link, and a path that may not be looked at, are
 * `other`: something is there that is no directory we can use.
 */
export async function findRealPath(absolute: string): Promise<Found> {
  const place = path.resolve(absolute)
  try {
    const realPath = await deepest(place)
    const isDirectory = (await stat(realPath)).isDirectory()
    return { realPath, kind: isDirectory ? "directory" : "other" }
  } catch (error) {
    if (!isAbsent(error)) return { realPath: await deepest(path.dirname(place)).catch(() => place), kind: "other" }
  }
  return { realPath: await deepest(place), kind: (await exists(place)) ? "other" : "missing" }
}
