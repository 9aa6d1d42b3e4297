import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs"
import { homedir, userInfo } from "node:os"
import { basename, dirname, join } from "node:path"
import { DataDirError } from "./data-dir-error.ts"
import type { Environment } from "./resolve.ts"
import { defaultDataDir, isTestRunner } from "./resolve.ts"

/** The real path of the deepest existing ancestor plus the rest. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}

/** Every place that is the default for this user: by the environment, and by the account itself. */
function realDefaults(env: Environment): readonly string[] {
  const homes = [env.HOME ?? homedir(), userInfo().homedir]
  const places = homes.flatMap((home) => [defaultDataDir({ env, home }), defaultDataDir({ env: {}, home })])
  return places.map(realPath)
}

function refuseDefaultUnderTest(path: string, env: Environment): void {
  if (!isTestRunner(env) || !realDefaults(env).includes(realPath(path))) return
  throw new DataDirError(
    "default_under_test",
    "A test runner would write to your real data directory. Give the test its own: --data-dir or HOLDFAST_DATA_DIR.",
  )
}

/** An empty directory becomes ours; one with content that others can enter is refused rather than silently changed. */
function closeToOthers(path: string): void {
  const { mode } = statSync(path)
  if (process.platform === "win32" || (mode & 0o077) === 0) return
  if (readdirSync(path).length > 0) {
    throw new DataDirError(
      "open_to_others",
      "Other users may enter the data directory. Run `chmod 700` on it if it is Holdfast's own, else choose another one.",
    )
  }
  chmodSync(path, 0o700)
}

/**
 * Makes a directory and what is missing above it, level by level: some file systems answer "not there" to a recursive
 * making for ever.
 */
function makeDirectories(path: string): void {
  const missing: string[] = []
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const directory of missing) {
    try {
      mkdirSync(directory, { mode: 0o700 })
    } catch (error) {
      // Another process that starts now may have made it.
      if (!isDirectory(directory)) throw error
    }
  }
  if (isDirectory(path)) return
  throw new DataDirError(
    "not_a_directory",
    "The data directory is not a directory. Choose another one with --data-dir.",
  )
}

/** False too where something above is a file. */
function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/**
 * Makes the data directory ready for the first write: exists, mode 0700. Throws `DataDirError`, also when a test runner
 * is at work and the path is the user's real default (design §6).
 */
export function prepareDataDir(path: string, env: Environment): void {
  refuseDefaultUnderTest(path, env)
  try {
    makeDirectories(path)
    closeToOthers(path)
  } catch (error) {
    if (error instanceof DataDirError || !(error instanceof Error) || !("code" in error)) throw error
    const [code, fault] =
      error.code === "EEXIST" || error.code === "ENOTDIR"
        ? (["not_a_directory", "is not a directory"] as const)
        : (["not_writable", `cannot be made or written (${String(error.code)})`] as const)
    throw new DataDirError(code, `The data directory ${fault}. Choose another one with --data-dir.`, { cause: error })
  }
}
