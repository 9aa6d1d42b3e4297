import type { ChangeState, Conflict } from "./status.ts"

/** One record of `git status --porcelain=v2 -z`, paths still as git names them: relative to the top of its work tree. */
export interface PorcelainEntry {
  readonly path: string
  readonly oldPath?: string
  readonly index: ChangeState
  readonly worktree: ChangeState
  readonly conflict?: Conflict
  readonly submodule: boolean
  /** Modes and object ids as given, for a fence; empty for untracked paths. */
  readonly identity: string
}

/** A parsed status. */
export interface Porcelain {
  /** Absent while HEAD is unborn. */
  readonly head?: string
  /** Absent when HEAD is detached. */
  readonly branch?: string
  readonly upstream?: string
  readonly ahead?: number
  readonly behind?: number
  /** In git's own order: tracked paths by bytes, then unmerged, then untracked ones. */
  readonly entries: readonly PorcelainEntry[]
}

const STATES: Readonly<Record<string, ChangeState>> = {
  ".": "unmodified",
  M: "modified",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type_changed",
  U: "unmerged",
}

const CONFLICTS: Readonly<Record<string, Conflict>> = {
  DD: "both_deleted",
  AU: "added_by_us",
  UD: "deleted_by_them",
  UA: "added_by_them",
  DU: "deleted_by_us",
  AA: "both_added",
  UU: "both_modified",
}

const stateOf = (letter: string | undefined): ChangeState => STATES[letter ?? "."] ?? "modified"

/** Splits `text` into its first `count` space-separated fields and the rest, which may hold spaces. */
function fieldsOf(text: string, count: number): readonly string[] {
  const fields: string[] = []
  let from = 0
  for (let index = 0; index < count; index += 1) {
    const space = text.indexOf(" ", from)
    if (space < 0) break
    fields.push(text.slice(from, space))
    from = space + 1
  }
  fields.push(text.slice(from))
  return fields
}

function trackedEntry(record: string, fieldCount: number, oldPath?: string): PorcelainEntry {
  const fields = fieldsOf(record, fieldCount)
  const [, states = "..", submodule = "N..."] = fields
  return {
    path: fields[fieldCount] ?? "",
    ...(oldPath === undefined ? {} : { oldPath }),
    index: stateOf(states[0]),
    worktree: stateOf(states[1]),
    submodule: submodule.startsWith("S"),
    identity: fields.slice(1, fieldCount).join(" "),
  }
}

function unmergedEntry(record: string): PorcelainEntry {
  const fields = fieldsOf(record, 10)
  const [, states = "UU", submodule = "N..."] = fields
  return {
    path: fields[10] ?? "",
    index: "unmerged",
    worktree: "unmerged",
    conflict: CONFLICTS[states] ?? "both_modified",
    submodule: submodule.startsWith("S"),
    identity: fields.slice(1, 10).join(" "),
  }
}

const untrackedEntry = (record: string): PorcelainEntry => ({
  path: record.slice(2),
  index: "unmodified",
  worktree: "untracked",
  submodule: false,
  identity: "",
})

interface Headers {
  head?: string
  branch?: string
  upstream?: string
  ahead?: number
  behind?: number
}

function readHeader(record: string, headers: Headers): void {
  const [, key = "", value = ""] = fieldsOf(record, 2)
  if (key === "branch.oid" && value !== "(initial)") headers.head = value
  if (key === "branch.head" && value !== "(detached)") headers.branch = value
  if (key === "branch.upstream") headers.upstream = value
  const counts = key === "branch.ab" ? /^\+(\d+) -(\d+)$/.exec(value) : null
  if (counts !== null) {
    headers.ahead = Number(counts[1])
    headers.behind = Number(counts[2])
  }
}

/**
 * Parses `git status --porcelain=v2 -z --branch`. A last record without its NUL, as a cut output leaves it, is dropped.
 */
export function parsePorcelain(text: string): Porcelain {
  const records = text.split("\0").slice(0, -1)
  const headers: Headers = {}
  const entries: PorcelainEntry[] = []
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index] ?? ""
    const type = record[0]
    if (type === "#") readHeader(record, headers)
    else if (type === "1") entries.push(trackedEntry(record, 8))
    else if (type === "2") {
      index += 1
      const oldPath = records[index]
      if (oldPath !== undefined) entries.push(trackedEntry(record, 9, oldPath))
    } else if (type === "u") entries.push(unmergedEntry(record))
    else if (type === "?") entries.push(untrackedEntry(record))
  }
  return { ...headers, entries }
}
