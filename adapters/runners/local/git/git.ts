import type { ProjectFs, RootHandle } from "../../../../core/files/fs.ts"
import type { PathPolicy } from "../../../../core/files/policy.ts"
import type { DiffPage, DiffRequest } from "../../../../core/git/diff.ts"
import type { Git, GitBaseline, GitGlance, GitTree, StatusRequest } from "../../../../core/git/git.ts"
import { isObjectId } from "../../../../core/git/revision.ts"
import type { GitRun } from "../../../../core/git/run.ts"
import type { GitStatus } from "../../../../core/git/status.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import { emptyTree } from "./comparison.ts"
import { diffOf } from "./diff.ts"
import { RepositoryFinder } from "./repository.ts"
import { GitRunner } from "./runner.ts"
import { GitScope } from "./scope.ts"
import { readStatus, statusOf } from "./status.ts"

/** What git on this machine needs. */
export interface LocalGitOptions {
  readonly fs: ProjectFs
  /** The policy by which names are held back. */
  policyOf(tree: GitTree): PathPolicy
  /** Environment that git inherits; its own variables are taken out. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Name or path of the git binary; `git` when left out. */
  readonly binary?: string
}

/** The `Git` port through the git command of this machine. */
export class LocalGit implements Git {
  readonly #options: LocalGitOptions
  readonly #runner: GitRunner
  readonly #finder: RepositoryFinder

  constructor(options: LocalGitOptions) {
    this.#options = options
    this.#runner = new GitRunner(options.binary ?? "git", options.environment)
    this.#finder = new RepositoryFinder(this.#runner)
  }

  status(tree: GitTree, request: StatusRequest): Promise<GitStatus> {
    return this.#within(tree, request, (scope) => statusOf(scope, request))
  }

  diff(tree: GitTree, request: DiffRequest): Promise<DiffPage> {
    return this.#within(tree, request, (scope) => diffOf(scope, request))
  }

  glance(tree: GitTree, run: GitRun): Promise<GitGlance> {
    return this.#within(tree, run, async (scope) => {
      const status = await readStatus(scope, "normal")
      return {
        ...(status.branch === undefined ? {} : { branch: status.branch }),
        ...(status.head === undefined ? {} : { head: status.head }),
        clean: status.entries.length === 0,
      }
    })
  }

  baselineTree(tree: GitTree, run: GitRun): Promise<GitBaseline> {
    return this.#within(tree, run, async (scope) => {
      const tree = await idOf(scope, "HEAD^{tree}")
      if (tree !== undefined) return { tree }
      if ((await idOf(scope, "HEAD")) !== undefined) throw unreadableHead()
      return { tree: await emptyTree(scope) }
    })
  }

  #within<T>(tree: GitTree, run: GitRun, use: (scope: GitScope) => Promise<T>): Promise<T> {
    const end = performance.now() + run.timeoutMs
    return this.#options.fs.withRoot(tree, async (root: RootHandle) => {
      const limits = {
        get timeoutMs() {
          return end - performance.now()
        },
        ...(run.signal === undefined ? {} : { signal: run.signal }),
      }
      const repository = await this.#finder.find(tree, root, limits)
      return use(new GitScope(this.#runner, repository, { tree, root, policy: this.#options.policyOf(tree), limits }))
    })
  }
}

async function idOf(scope: GitScope, revision: string): Promise<string | undefined> {
  const verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", revision]
  const id = (await scope.runner.attempt(scope.place, verify, scope.limits)).text.trim()
  return isObjectId(id) ? id : undefined
}

const unreadableHead = (): ToolError =>
  new ToolError("git_failed", "HEAD names a commit whose tree cannot be read; check the repository with git fsck.", {
    details: { exit_code: null, stderr_tail: "" },
  })
