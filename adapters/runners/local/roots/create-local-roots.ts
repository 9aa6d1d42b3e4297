import { lstat, mkdir } from "node:fs/promises"
import path from "node:path"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { ProjectRoots, RootFacts } from "../../../../core/projects/roots.ts"
import { runChild } from "../git/child.ts"
import { inheritedEnvironment } from "../git/environment.ts"
import { findRealPath } from "./real-path.ts"

const GIT_INIT_MS = 10_000

/** Places and environment of the machine whose directories are looked at; paths absolute. */
export interface LocalRootsOptions {
  readonly home: string
  readonly dataDir: string
  /** Environment of `git init`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Default `git`. */
  readonly gitBinary?: string
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

async function hasOwnRepository(directory: string): Promise<boolean> {
  try {
    await lstat(path.join(directory, ".git"))
    return true
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].some((code) => code === codeOf(error))) return false
    throw error
  }
}

async function inspect(absolute: string): Promise<RootFacts> {
  const found = await findRealPath(absolute)
  return { ...found, git: found.kind === "directory" && (await hasOwnRepository(found.realPath)) }
}

/** One level only: the parent must be there. A directory that has come to be there meanwhile is as good. */
async function makeDirectory(absolute: string): Promise<void> {
  try {
    await mkdir(absolute)
  } catch (error) {
    const code = codeOf(error)
    if (code === "EEXIST") return
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new ToolError("path_not_found", "The folder above it does not exist. Make it first, one level at a time.")
    }
    if (code === "ENAMETOOLONG") {
      throw new ToolError(
        "path_not_allowed",
        "A name in the path is longer than the file system allows. Choose another.",
      )
    }
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
      throw new ToolError("path_not_allowed", "The Runner may not make a folder there. Choose another place.")
    }
    throw error
  }
}

/** The directories of this machine (port `ProjectRoots`, spec kernel.md §9). */
export function createLocalRoots(options: LocalRootsOptions): ProjectRoots {
  const { home, dataDir, environment, gitBinary = "git" } = options

  async function initialise(cwd: string): Promise<void> {
    const end = await runChild({
      binary: gitBinary,
      args: ["init", "--quiet", "--template=", "."],
      cwd,
      env: inheritedEnvironment(environment),
      timeoutMs: GIT_INIT_MS,
      onOutput: () => true,
    }).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error
      throw new ToolError(
        "git_unavailable",
        "git was not found on the Runner's PATH. Install it, or leave git_init out.",
      )
    })
    if (end.exitCode === 0 && end.stopped === "no") return
    throw new ToolError("git_failed", "git could not make a repository there. Read stderr_tail, then decide.", {
      details: { exit_code: end.exitCode, stderr_tail: end.stderrTail },
    })
  }

  return {
    inspect,
    async create(absolute, { gitInit }) {
      await makeDirectory(absolute)
      const made = await inspect(absolute)
      if (!gitInit || made.git || made.kind !== "directory") return made
      await initialise(made.realPath)
      return await inspect(absolute)
    },
    async places() {
      const [homeFound, dataFound] = await Promise.all([findRealPath(home), findRealPath(dataDir)])
      return { home: homeFound.realPath, dataDir: dataFound.realPath }
    },
  }
}
