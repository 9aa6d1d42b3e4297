import type { Stats } from "node:fs"
import { lstat, realpath, stat } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"
import type { RootHandle } from "../../../../core/files/fs.ts"
import type { GitTree } from "../../../../core/git/git.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { ConfigGuard } from "./config-guard.ts"
import { guardOf } from "./config-guard.ts"
import type { GitRunner } from "./runner.ts"

/** The repository that a Project's git tools speak of, found once and found again when its parts were replaced. */
export interface Repository {
  readonly gitDir: string
  readonly commonDir: string
  readonly workTree: string
  /** Path of the Project root below the work tree with a trailing `/`; empty when they are the same. */
  readonly prefix: string
  readonly guard: ConfigGuard
}

interface Known {
  readonly repository: Repository
  readonly stamp: string
}

const stampOf = (stats: Stats | undefined): string =>
  stats === undefined ? "-" : [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(":")

async function statOf(path: string, look: (path: string) => Promise<Stats> = lstat): Promise<Stats | undefined> {
  try {
    return await look(path)
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined
    throw error
  }
}

/** The nearest directory from `start` upwards that holds a `.git`. */
async function topAbove(start: string): Promise<string | undefined> {
  if ((await statOf(join(start, ".git"))) !== undefined) return start
  const parent = dirname(start)
  return parent === start ? undefined : topAbove(parent)
}

/** Finds repositories and remembers them per root. */
export class RepositoryFinder {
  readonly #runner: GitRunner
  readonly #known = new Map<string, Known>()

  constructor(runner: GitRunner) {
    this.#runner = runner
  }

  /**
   * The repository of an open root.
   * @throws ToolError `not_git_project`, `git_unsafe_ownership`, `git_failed`.
   */
  async find(tree: GitTree, root: RootHandle, run: { readonly timeoutMs: number; readonly signal?: AbortSignal }) {
    const top = await this.#top(tree)
    const key = `${tree.root}\0${top}`
    const known = this.#known.get(key)
    if (known !== undefined && known.stamp === (await this.#stamp(top, known.repository))) return known.repository
    const found = await this.#discover({ tree, root, top, run })
    if (found.repository.guard.includes) this.#known.delete(key)
    else this.#known.set(key, found)
    return found.repository
  }

  async #top(tree: GitTree): Promise<string> {
    if ((await statOf(join(tree.root, ".git"))) !== undefined) return tree.root
    const above = await topAbove(dirname(tree.root))
    if (above !== undefined && tree.gitAboveRoot === true) return realpath(above)
    throw new ToolError(
      "not_git_project",
      above === undefined
        ? "The Project root is no git repository; create one with git init in a shell, or use the file tools."
        : "The Project root lies inside a repository further up that the Project does not use; register that directory instead.",
      { details: { repository_above: above !== undefined } },
    )
  }

  async #stamp(top: string, repository: Pick<Repository, "gitDir" | "commonDir">): Promise<string> {
    const files = [
      join(repository.commonDir, "config"),
      join(repository.gitDir, "config.worktree"),
      join(repository.commonDir, "config.worktree"),
    ]
    const dotGit = await statOf(join(top, ".git"))
    // Of a link to a configuration it is the file behind it that may change.
    const configs = await Promise.all(files.map((file) => statOf(file, stat)))
    const identity = dotGit?.isDirectory() === true ? `${dotGit.dev}:${dotGit.ino}` : stampOf(dotGit)
    return [identity, ...configs.map(stampOf)].join(" ")
  }

  async #discover(at: {
    readonly tree: GitTree
    readonly root: RootHandle
    readonly top: string
    readonly run: { readonly timeoutMs: number; readonly signal?: AbortSignal }
  }): Promise<Known> {
    const cwd = at.top === at.tree.root ? at.root.cwd : at.top
    const found = await this.#runner.locate(cwd, dirname(at.top), at.run)
    if (found.exitCode !== 0) return this.#refuse(at.top, found)
    const [gitDir = "", common = ""] = found.text.split("\n")
    const commonDir = resolve(at.top, common)
    const below = relative(at.top, at.tree.root)
    const location = { gitDir, workTree: at.top === at.tree.root ? "." : at.top }
    // Taken before the configuration is read: one that changes meanwhile is read again by the next call.
    const stamp = await this.#stamp(at.top, { gitDir, commonDir })
    const guard = guardOf(await this.#runner.text({ cwd, location, overrides: [] }, CONFIG_LIST, at.run))
    const prefix = below === "" ? "" : `${below.split(sep).join("/")}/`
    return { repository: { ...location, commonDir, prefix, guard }, stamp }
  }

  async #refuse(top: string, end: { readonly exitCode: number | null; readonly stderrTail: string }): Promise<never> {
    const owner = (await statOf(join(top, ".git")))?.uid
    const self = process.geteuid?.()
    if (owner !== undefined && self !== undefined && owner !== self) {
      throw new ToolError(
        "git_unsafe_ownership",
        "The repository belongs to another user, so git refuses it; add it to safe.directory in your own git configuration.",
      )
    }
    throw new ToolError("git_failed", "git cannot open the repository of the Project; see stderr_tail.", {
      details: { exit_code: end.exitCode, stderr_tail: end.stderrTail },
    })
  }
}

const CONFIG_LIST: readonly string[] = ["config", "--list", "-z", "--show-scope", "--name-only", "--includes"]
