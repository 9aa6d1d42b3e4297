import type { BigIntStats } from "node:fs"
import { lstat, open } from "node:fs/promises"
import { join } from "node:path"
import type { ChangeEntry } from "../../../../core/git/change-list.ts"
import { changesOfRaw, changesOfStatus } from "../../../../core/git/change-list.ts"
import { fenceOf } from "../../../../core/git/continuation.ts"
import type { DiffRequest } from "../../../../core/git/diff.ts"
import type { RawEntry } from "../../../../core/git/raw.ts"
import { parseRaw } from "../../../../core/git/raw.ts"
import { checkRevision, isObjectId } from "../../../../core/git/revision.ts"
import { ToolError } from "../../../../core/kernel/error.ts"
import type { GitScope } from "./scope.ts"
import { readStatus } from "./status.ts"

/** What is compared with what, before any content was looked at. */
export interface Comparison {
  /** The sides as arguments of `git diff`. */
  readonly sides: readonly string[]
  readonly list: readonly ChangeEntry[]
  /** Digest of everything the list depends on. */
  readonly fence: string
  readonly mergeBase?: string
}

/** Arguments that make git's output the one form that is parsed, whatever a configuration says. */
export const DIFF_FORM: readonly string[] = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
  "--find-renames",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--unified=3",
  "--inter-hunk-context=0",
  "--ignore-submodules=dirty",
  "--submodule=short",
  "-O/dev/null",
  "-z",
]

/** The full id of a revision. @throws ToolError `invalid_arguments`, `unknown_revision`. */
async function resolveRevision(scope: GitScope, field: string, revision: string): Promise<string> {
  const name = checkRevision(field, revision)
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]
  const id = (await scope.runner.attempt(scope.place, args, scope.limits)).text.trim()
  if (isObjectId(id)) return id
  throw new ToolError(
    "unknown_revision",
    `The revision in ${field} names no commit here; send a commit id, branch or tag that the repository has.`,
    {
      details: { field },
    },
  )
}

/** The repository's own id of the empty tree, in its object format. */
export async function emptyTree(scope: GitScope): Promise<string> {
  return (await scope.runner.text(scope.place, ["hash-object", "-t", "tree", "/dev/null"], scope.limits)).text.trim()
}

async function mergeBaseOf(scope: GitScope, base: string, head: string): Promise<string> {
  const { text } = await scope.runner.attempt(scope.place, ["merge-base", base, head], scope.limits)
  const id = text.split("\n")[0] ?? ""
  if (isObjectId(id)) return id
  throw new ToolError("unknown_revision", "The two revisions have no common ancestor; compare others.", {
    details: { field: "base" },
  })
}

const scopedRaw = (scope: GitScope, entry: RawEntry): RawEntry | undefined => {
  const path = scope.nameOf(entry.path)
  const oldPath = entry.oldPath === undefined ? undefined : (scope.nameOf(entry.oldPath) ?? entry.oldPath)
  return path === undefined ? undefined : { ...entry, path, ...(oldPath === undefined ? {} : { oldPath }) }
}

/** Names of raw entries turned to the Project's. */
export function scopedRaws(scope: GitScope, entries: readonly RawEntry[]): readonly RawEntry[] {
  return entries.flatMap((entry) => scopedRaw(scope, entry) ?? [])
}

async function compareRange(scope: GitScope, request: DiffRequest): Promise<Comparison> {
  const [base, head] = await Promise.all([
    resolveRevision(scope, "base", request.base ?? ""),
    resolveRevision(scope, "head", request.head ?? ""),
  ])
  const mergeBase = await mergeBaseOf(scope, base, head)
  const sides = [mergeBase, head]
  const specs = request.paths.length === 0 ? scope.everything : request.paths
  const { text, cut } = await scope.runner.text(
    scope.place,
    [...DIFF_FORM, "--raw", ...sides, "--", ...specs],
    scope.limits,
  )
  if (cut) throw tooMany()
  const list = changesOfRaw(scopedRaws(scope, parseRaw(text))).filter((entry) => scope.classOf(entry.path) !== "denied")
  return { sides, list, fence: fenceOf(sides), mergeBase }
}

async function stampOf(path: string): Promise<string> {
  try {
    const stats: BigIntStats = await lstat(path, { bigint: true })
    return [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode].join(":")
  } catch {
    return "-"
  }
}

const CHECKSUM_BYTES = 32

/** Size, time and last bytes of the index, where git keeps its checksum. */
async function indexStamp(gitDir: string): Promise<string> {
  const path = join(gitDir, "index")
  const handle = await open(path, "r").catch(() => undefined)
  if (handle === undefined) return "-"
  try {
    const { size } = await handle.stat()
    const tail = Buffer.alloc(Math.min(CHECKSUM_BYTES, size))
    await handle.read(tail, 0, tail.length, size - tail.length)
    return `${await stampOf(path)} ${tail.toString("hex")}`
  } finally {
    await handle.close()
  }
}

async function compareFiles(scope: GitScope, request: DiffRequest): Promise<Comparison> {
  const untracked = request.mode === "staged" || !request.includeUntracked ? "no" : "all"
  const status = await readStatus(scope, untracked, request.paths)
  if (status.cut) throw tooMany()
  const list = changesOfStatus(request.mode, status.entries, request.includeUntracked)
  const side = request.mode === "worktree" ? [] : [status.head ?? (await emptyTree(scope))]
  const stamps = await Promise.all(
    list.map(async (entry) => [entry.path, entry.identity, await fileStamp(scope, entry)]),
  )
  return {
    sides: request.mode === "staged" ? ["--cached", ...side] : side,
    list,
    fence: fenceOf([status.head ?? "", await indexStamp(scope.repository.gitDir), stamps]),
  }
}

const fileStamp = (scope: GitScope, entry: ChangeEntry): Promise<string> => stampOf(join(scope.root.cwd, entry.path))

const tooMany = (): ToolError =>
  new ToolError("git_failed", "There are more changed paths than one call can list; narrow it with paths.", {
    details: { exit_code: null, stderr_tail: "" },
  })

/** Lists what a request compares. @throws ToolError `unknown_revision`, `invalid_arguments`, `git_failed`. */
export function compare(scope: GitScope, request: DiffRequest): Promise<Comparison> {
  return request.mode === "range" ? compareRange(scope, request) : compareFiles(scope, request)
}
