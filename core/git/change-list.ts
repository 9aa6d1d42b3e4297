import { compareNames } from "../files/paths.ts"
import type { DiffMode } from "./diff.ts"
import type { PorcelainEntry } from "./porcelain.ts"
import type { RawEntry } from "./raw.ts"
import type { ChangeState } from "./status.ts"

/** One path that a comparison may show, before any content is compared. */
export interface ChangeEntry {
  readonly path: string
  readonly oldPath?: string
  /** `trace` is the old name of a rename: it shows only if git finds, on comparing contents, that it was none. */
  readonly kind: "tracked" | "untracked" | "unmerged" | "trace"
  readonly status: ChangeState
  readonly submodule: boolean
  /** For the fence. */
  readonly identity: string
}

const isShown = (mode: DiffMode, entry: PorcelainEntry): boolean =>
  mode === "worktree"
    ? entry.worktree !== "unmodified"
    : mode === "staged"
      ? entry.index !== "unmodified" && entry.worktree !== "untracked"
      : true

const shownState = (mode: DiffMode, entry: PorcelainEntry): ChangeState =>
  mode === "worktree" || entry.index === "unmodified" ? entry.worktree : entry.index

const kindOf = (entry: PorcelainEntry): ChangeEntry["kind"] =>
  entry.worktree === "untracked" ? "untracked" : entry.conflict === undefined ? "tracked" : "unmerged"

/** Tracked paths in order of bytes as git diff has them, untracked ones behind them; one entry a path. */
function inOrder(entries: readonly ChangeEntry[]): readonly ChangeEntry[] {
  const rank = (entry: ChangeEntry): number => (entry.kind === "untracked" ? 1 : 0)
  const known = new Set(entries.filter((entry) => entry.kind !== "trace").map((entry) => entry.path))
  return entries
    .filter((entry) => entry.kind !== "trace" || !known.has(entry.path))
    .sort((a, b) => rank(a) - rank(b) || compareNames(a.path, b.path))
}

const traceOf = (path: string): ChangeEntry => ({
  path,
  kind: "trace",
  status: "deleted",
  submodule: false,
  identity: "",
})

/** The change list of a comparison with HEAD, index or files. */
export function changesOfStatus(
  mode: DiffMode,
  entries: readonly PorcelainEntry[],
  includeUntracked: boolean,
): readonly ChangeEntry[] {
  const shown = entries.filter((entry) => isShown(mode, entry) && (includeUntracked || entry.worktree !== "untracked"))
  const changes = shown.map(
    (entry): ChangeEntry => ({
      path: entry.path,
      ...(entry.oldPath === undefined ? {} : { oldPath: entry.oldPath }),
      kind: kindOf(entry),
      status: shownState(mode, entry),
      submodule: entry.submodule,
      identity: entry.identity,
    }),
  )
  return inOrder([...changes, ...tracesOf(changes)])
}

const tracesOf = (changes: readonly ChangeEntry[]): readonly ChangeEntry[] =>
  changes.flatMap((change) => (change.oldPath === undefined ? [] : [traceOf(change.oldPath)]))

const SUBMODULE_MODE = "160000"

/** The change list of a comparison of two commits. */
export function changesOfRaw(entries: readonly RawEntry[]): readonly ChangeEntry[] {
  const changes = entries.map(
    (entry): ChangeEntry => ({
      path: entry.path,
      ...(entry.oldPath === undefined ? {} : { oldPath: entry.oldPath }),
      kind: "tracked",
      status: entry.status,
      submodule: entry.oldMode === SUBMODULE_MODE || entry.newMode === SUBMODULE_MODE,
      identity: "",
    }),
  )
  return inOrder([...changes, ...tracesOf(changes)])
}
