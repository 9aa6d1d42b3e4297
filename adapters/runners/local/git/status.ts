import { join } from "node:path"
import type { StatusRequest } from "../../../../core/git/git.ts"
import type { Porcelain, PorcelainEntry } from "../../../../core/git/porcelain.ts"
import { parsePorcelain } from "../../../../core/git/porcelain.ts"
import type { GitStatus, StatusFile, StatusHead, StatusUpstream } from "../../../../core/git/status.ts"
import { countStatus } from "../../../../core/git/status.ts"
import { exists, operationOf } from "./operation.ts"
import type { GitScope } from "./scope.ts"

const STATUS: readonly string[] = [
  "status",
  "--porcelain=v2",
  "-z",
  "--branch",
  "--ahead-behind",
  "--find-renames",
  "--ignore-submodules=dirty",
]

/** Which untracked files a status lists: none, directories as one, or each file. */
export type UntrackedMode = "no" | "normal" | "all"

/** A status with names of the Project; `cut` when there was more than 8 MiB of it. */
export interface ScopedStatus extends Porcelain {
  readonly cut: boolean
}

/** Runs one `git status` over literal pathspecs, all of the root when there are none. */
export async function readStatus(
  scope: GitScope,
  untracked: UntrackedMode,
  paths: readonly string[] = [],
): Promise<ScopedStatus> {
  const specs = paths.length === 0 ? scope.everything : paths
  const args = [...STATUS, `--untracked-files=${untracked}`, "--", ...specs]
  const { text, cut } = await scope.runner.text(scope.place, args, scope.limits)
  const parsed = parsePorcelain(text)
  const entries = parsed.entries.flatMap((entry): PorcelainEntry[] => {
    const path = scope.nameOf(entry.path)
    const oldPath = entry.oldPath === undefined ? undefined : (scope.nameOf(entry.oldPath) ?? entry.oldPath)
    return path === undefined ? [] : [{ ...entry, path, ...(oldPath === undefined ? {} : { oldPath }) }]
  })
  return { ...parsed, entries: entries.filter((entry) => scope.classOf(entry.path) !== "denied"), cut }
}

function fileOf(scope: GitScope, entry: PorcelainEntry, suppressed: ReadonlySet<string>): StatusFile {
  const kind = scope.classOf(entry.path)
  return {
    path: entry.path,
    ...(entry.oldPath === undefined ? {} : { old_path: entry.oldPath }),
    index: entry.index,
    worktree: entry.worktree,
    ...(entry.conflict === undefined ? {} : { conflict: entry.conflict }),
    ...(entry.submodule ? { submodule: true } : {}),
    ...(kind === "held_back" ? { sensitive: true } : {}),
    ...(suppressed.has(entry.path) ? { filter_suppressed: true } : {}),
    ...(kind === "unaddressable" ? { addressable: false } : {}),
  }
}

const headOf = (status: Porcelain, subject: string | undefined): StatusHead => ({
  ...(status.head === undefined ? {} : { commit: status.head }),
  ...(status.branch === undefined ? {} : { branch: status.branch }),
  detached: status.branch === undefined,
  unborn: status.head === undefined,
  ...(subject === undefined ? {} : { subject }),
})

function upstreamOf(status: Porcelain): StatusUpstream {
  if (status.upstream === undefined) return { status: "absent" }
  if (status.ahead === undefined || status.behind === undefined) return { status: "gone", name: status.upstream }
  return { status: "available", name: status.upstream, ahead: status.ahead, behind: status.behind }
}

async function subjectOf(scope: GitScope): Promise<string | undefined> {
  const args = ["rev-list", "-1", "--no-commit-header", "--format=%s", "HEAD"]
  const { text, exitCode } = await scope.runner.attempt(scope.place, args, scope.limits)
  return exitCode === 0 ? [...text.trimEnd()].slice(0, 200).join("") : undefined
}

async function stashCount(scope: GitScope): Promise<number> {
  const { commonDir } = scope.repository
  const mayHave = await Promise.all([exists(join(commonDir, "logs/refs/stash")), exists(join(commonDir, "reftable"))])
  if (!mayHave.includes(true)) return 0
  const args = ["rev-list", "-g", "--count", "refs/stash"]
  const { text, exitCode } = await scope.runner.attempt(scope.place, args, scope.limits)
  return exitCode === 0 ? Number(text.trim()) : 0
}

/** Submodules in the index. git never runs inside them, so what changed there is not known. */
async function submoduleCount(scope: GitScope): Promise<number> {
  const { gitDir, commonDir } = scope.repository
  const signs = [join(scope.root.cwd, ".gitmodules"), join(gitDir, "modules"), join(commonDir, "modules")]
  if (!(await Promise.all(signs.map(exists))).includes(true)) return 0
  const args = ["ls-files", "--stage", "-z", "--", ...scope.everything]
  const { text } = await scope.runner.text(scope.place, args, scope.limits)
  return text.split("\0").filter((record) => record.startsWith("160000 ")).length
}

/** The answer of `git_status`, at most three git processes once the repository is known, one more where there are submodules. */
export async function statusOf(scope: GitScope, request: StatusRequest): Promise<GitStatus> {
  const [status, subject, stashes, operation, submodules] = await Promise.all([
    readStatus(scope, "all"),
    request.details ? subjectOf(scope) : undefined,
    request.details ? stashCount(scope) : 0,
    operationOf(scope.repository.gitDir),
    request.details ? submoduleCount(scope) : 0,
  ])
  const shown = status.entries.slice(0, request.limit)
  const suppressed = request.details ? await scope.suppressed(shown.map((entry) => entry.path)) : new Set<string>()
  const total = status.entries.length
  return {
    head: headOf(status, subject),
    upstream: upstreamOf(status),
    operation,
    clean: total === 0,
    ...(submodules === 0 ? {} : { submodules_unchecked: submodules }),
    counts: countStatus(status.entries.map((entry) => fileOf(scope, entry, suppressed))),
    files: shown.map((entry) => fileOf(scope, entry, suppressed)),
    files_total: total,
    files_truncated: shown.length < total || status.cut,
    stash_count: stashes,
  }
}
