import { isProjectPath } from "../../../../core/files/paths.ts"
import type { ChangeEntry } from "../../../../core/git/change-list.ts"
import { decodeContinuation, encodeContinuation } from "../../../../core/git/continuation.ts"
import type { DiffFile, DiffPage, DiffRequest } from "../../../../core/git/diff.ts"
import { DIFF_START } from "../../../../core/git/diff.ts"
import type { NumStat, RawEntry } from "../../../../core/git/raw.ts"
import { parseNumstat, parseRaw } from "../../../../core/git/raw.ts"
import type { Comparison } from "./comparison.ts"
import { DIFF_FORM, scopedRaws } from "./comparison.ts"
import type { ClosedEntries } from "./entries.ts"
import { entryBatch } from "./entries.ts"
import type { GitScope } from "./scope.ts"
import { readUntracked } from "./untracked.ts"

const AT_ONCE = 8

interface Counted {
  readonly raws: readonly RawEntry[]
  readonly stats: ReadonlyMap<string, NumStat>
}

/** Raw records come first, then one count each; both name paths by NUL, so the last raw name ends the first part. */
function parseCounted(scope: GitScope, text: string): Counted {
  const raws = parseRaw(text)
  const skipped = raws.reduce((parts, raw) => parts + (raw.oldPath === undefined ? 2 : 3), 0)
  const stats = parseNumstat(text.split("\0").slice(skipped).join("\0"))
  return {
    raws: scopedRaws(scope, raws),
    stats: new Map(stats.map((stat) => [scope.nameOf(stat.path) ?? stat.path, stat])),
  }
}

async function countTracked(scope: GitScope, comparison: Comparison, closed: ClosedEntries): Promise<Counted> {
  const raws: RawEntry[] = []
  const stats = new Map<string, NumStat>()
  const { list, sides } = comparison
  for (let from = 0; from < list.length; ) {
    const { specs, end } = entryBatch(scope, { list, closed }, from)
    from = Math.max(end, from + 1)
    if (specs.length === 0) continue
    const args = [...DIFF_FORM, "--raw", "--numstat", ...sides, "--", ...specs]
    const part = parseCounted(scope, (await scope.runner.text(scope.place, args, scope.limits)).text)
    raws.push(...part.raws)
    for (const [path, stat] of part.stats) stats.set(path, stat)
  }
  return { raws, stats }
}

function trackedFile(raw: RawEntry, stat: NumStat | undefined, submodule: boolean): DiffFile {
  const counts =
    stat?.insertions === undefined
      ? { binary: true as const }
      : { insertions: stat.insertions, deletions: stat.deletions ?? 0 }
  const bothExist = !raw.oldMode.startsWith("0000") && !raw.newMode.startsWith("0000")
  return {
    path: raw.path,
    ...(raw.oldPath === undefined ? {} : { old_path: raw.oldPath }),
    status: raw.status,
    ...(stat === undefined ? {} : counts),
    ...(bothExist && raw.oldMode !== raw.newMode ? { mode_change: { from: raw.oldMode, to: raw.newMode } } : {}),
    ...(submodule ? { submodule: true } : {}),
  }
}

async function untrackedFiles(scope: GitScope, entries: readonly ChangeEntry[]): Promise<readonly DiffFile[]> {
  const files: DiffFile[] = []
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const part = entries.slice(from, from + AT_ONCE).map(async ({ path, status }): Promise<DiffFile> => {
      if (!isProjectPath(path)) return { path, status }
      return (await readUntracked(scope.root, path, scope.limits.signal)).file
    })
    files.push(...(await Promise.all(part)))
  }
  return files
}

async function allFiles(scope: GitScope, comparison: Comparison, closed: ClosedEntries): Promise<readonly DiffFile[]> {
  const open = comparison.list.filter((entry) => !closed.has(entry.path))
  const { raws, stats } = await countTracked(scope, comparison, closed)
  const submodules = new Set(open.filter((entry) => entry.submodule).map((entry) => entry.path))
  const counted = raws.map((raw) => trackedFile(raw, stats.get(raw.path), submodules.has(raw.path)))
  const untracked = await untrackedFiles(
    scope,
    open.filter((entry) => entry.kind === "untracked"),
  )
  const byPath = new Map([...counted, ...untracked].map((file) => [file.path, file]))
  return comparison.list.flatMap((entry) => closed.get(entry.path) ?? byPath.get(entry.path) ?? [])
}

/** How many files from `from` on fit the page; at least one. */
function fitting(files: readonly DiffFile[], from: number, maxBytes: number): number {
  let bytes = 2
  let end = from
  while (end < files.length) {
    bytes += Buffer.byteLength(JSON.stringify(files[end])) + 1
    if (bytes > maxBytes && end > from) break
    end += 1
  }
  return end
}

/** A page of counts without hunks, with the sums of the whole comparison. */
export async function readStats(
  scope: GitScope,
  request: DiffRequest,
  of: { readonly comparison: Comparison; readonly closed: ClosedEntries },
): Promise<DiffPage> {
  const { fence, mergeBase } = of.comparison
  const start =
    request.continuation === undefined ? DIFF_START : decodeContinuation(request, fence, request.continuation)
  const files = await allFiles(scope, of.comparison, of.closed)
  const end = fitting(files, start.entry, request.maxBytes)
  const sum = (pick: (file: DiffFile) => number | undefined): number =>
    files.reduce((total, file) => total + (pick(file) ?? 0), 0)
  const next = { entry: end, hunk: 0, line: 0 }
  return {
    ...(mergeBase === undefined ? {} : { merge_base: mergeBase }),
    files: files.slice(start.entry, end),
    has_more: end < files.length,
    ...(end < files.length ? { next_continuation: encodeContinuation(request, fence, next) } : {}),
    files_total: files.length,
    insertions: sum((file) => file.insertions),
    deletions: sum((file) => file.deletions),
  }
}
