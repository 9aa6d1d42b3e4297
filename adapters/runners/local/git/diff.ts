import type { ProjectPath } from "../../../../core/files/paths.ts"
import { isProjectPath } from "../../../../core/files/paths.ts"
import { decodeContinuation, encodeContinuation } from "../../../../core/git/continuation.ts"
import type { DiffFile, DiffPage, DiffRequest } from "../../../../core/git/diff.ts"
import { DIFF_START } from "../../../../core/git/diff.ts"
import type { BuiltPage } from "../../../../core/git/diff-page.ts"
import { DiffPageBuilder } from "../../../../core/git/diff-page.ts"
import { PatchReader } from "../../../../core/git/patch-reader.ts"
import { parseNumstat } from "../../../../core/git/raw.ts"
import type { Comparison } from "./comparison.ts"
import { compare, DIFF_FORM } from "./comparison.ts"
import type { ClosedEntries } from "./entries.ts"
import { closedEntries, entryBatch } from "./entries.ts"
import type { GitScope } from "./scope.ts"
import { readStats } from "./stat.ts"
import { readUntracked } from "./untracked.ts"

async function streamTracked(
  scope: GitScope,
  comparison: Comparison,
  at: { readonly builder: DiffPageBuilder; readonly specs: readonly string[] },
): Promise<void> {
  const sink = at.builder
  const reader = new PatchReader({
    file: (entry) => sink.file(scoped(scope, entry)),
    binary: () => sink.binary(),
    hunk: (start) => sink.hunk(start),
    line: (text, cut) => sink.line(text, cut),
    fileEnd: () => sink.fileEnd(),
  })
  const args = [...DIFF_FORM, "--patch-with-raw", ...comparison.sides, "--", ...at.specs]
  await scope.runner.stream(scope.place, args, { ...scope.limits, onOutput: (chunk) => reader.push(chunk) })
  if (!at.builder.full) reader.end()
}

function scoped<E extends { readonly path: string; readonly oldPath?: string }>(scope: GitScope, entry: E): E {
  const oldPath = entry.oldPath === undefined ? {} : { oldPath: scope.nameOf(entry.oldPath) ?? entry.oldPath }
  return { ...entry, path: scope.nameOf(entry.path) ?? entry.path, ...oldPath }
}

async function addUntracked(
  scope: GitScope,
  { list }: Comparison,
  at: { readonly builder: DiffPageBuilder; readonly from: number; readonly closed: ClosedEntries },
): Promise<void> {
  for (const [offset, entry] of list.slice(at.from).entries()) {
    const path: ProjectPath | undefined = isProjectPath(entry.path) ? entry.path : undefined
    if (entry.kind !== "untracked" || at.closed.has(entry.path) || path === undefined) continue
    const { file, hunk } = await readUntracked(scope.root, path, scope.limits.signal)
    if (!at.builder.whole(at.from + offset, file, hunk)) return
  }
}

async function countsOf(scope: GitScope, comparison: Comparison, path: string) {
  const entry = comparison.list.find((candidate) => candidate.path === path)
  const specs = [path, ...(entry?.oldPath === undefined ? [] : [entry.oldPath])]
  const args = [...DIFF_FORM, "--numstat", ...comparison.sides, "--", ...specs]
  const { text } = await scope.runner.text(scope.place, args, scope.limits)
  const stat = parseNumstat(text).find((candidate) => scope.nameOf(candidate.path) === path)
  return stat?.insertions === undefined ? {} : { insertions: stat.insertions, deletions: stat.deletions ?? 0 }
}

async function completeCounts(scope: GitScope, comparison: Comparison, page: BuiltPage): Promise<readonly DiffFile[]> {
  const { uncounted } = page
  const last = page.files.at(-1)
  if (uncounted === undefined || last === undefined) return page.files
  const isUntracked = comparison.list.some((entry) => entry.path === uncounted && entry.kind === "untracked")
  if (isUntracked && isProjectPath(uncounted)) {
    const { file } = await readUntracked(scope.root, uncounted, scope.limits.signal)
    return [...page.files.slice(0, -1), { ...file, ...last }]
  }
  const { hunks, ...facts } = last
  const counts = await countsOf(scope, comparison, uncounted)
  return [...page.files.slice(0, -1), { ...facts, ...counts, ...(hunks === undefined ? {} : { hunks }) }]
}

async function hunkPage(scope: GitScope, request: DiffRequest, comparison: Comparison): Promise<DiffPage> {
  const { list, fence, mergeBase } = comparison
  const start =
    request.continuation === undefined ? DIFF_START : decodeContinuation(request, fence, request.continuation)
  const closed = await closedEntries(scope, list)
  const builder = new DiffPageBuilder(list, closed, { start, maxBytes: request.maxBytes })
  const { specs, end } = entryBatch(scope, { list, closed }, start.entry)
  if (specs.length > 0) await streamTracked(scope, comparison, { builder, specs })
  const trackedDone = list[end] === undefined || list[end]?.kind === "untracked"
  if (trackedDone && !builder.full) await addUntracked(scope, comparison, { builder, from: end, closed })
  const page = builder.build(trackedDone ? list.length : end)
  return {
    ...(mergeBase === undefined ? {} : { merge_base: mergeBase }),
    files: await completeCounts(scope, comparison, page),
    has_more: page.next !== undefined,
    ...(page.next === undefined ? {} : { next_continuation: encodeContinuation(request, fence, page.next) }),
  }
}

/** One page of a comparison, at most three git processes once the repository is known (two more for a range). */
export async function diffOf(scope: GitScope, request: DiffRequest): Promise<DiffPage> {
  const comparison = await compare(scope, request)
  if (request.format === "hunks") return hunkPage(scope, request, comparison)
  const closed = await closedEntries(scope, comparison.list)
  return readStats(scope, request, { comparison, closed })
}
