import type { ChangeState } from "./status.ts"

/** One record of `git diff --raw -z`. */
export interface RawEntry {
  readonly path: string
  readonly oldPath?: string
  readonly status: ChangeState
  /** Six octal digits; `000000` where the side does not exist. */
  readonly oldMode: string
  readonly newMode: string
}

/** Lines added and removed of one path; absent for a binary file. */
export interface NumStat {
  readonly path: string
  readonly oldPath?: string
  readonly insertions?: number
  readonly deletions?: number
}

const LETTERS: Readonly<Record<string, ChangeState>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type_changed",
  U: "unmerged",
}

const hasOldName = (letter: string): boolean => letter === "R" || letter === "C"

/** Parses records of `git diff --raw -z`, up to the first thing that is none. */
export function parseRaw(text: string): readonly RawEntry[] {
  const parts = text.split("\0")
  const entries: RawEntry[] = []
  let index = 0
  while (parts[index]?.startsWith(":") === true) {
    const [oldMode = "", newMode = "", , , status = "M"] = (parts[index] ?? "").slice(1).split(" ")
    const letter = status[0] ?? "M"
    const renamed = hasOldName(letter)
    const first = parts[index + 1]
    const second = renamed ? parts[index + 2] : first
    if (first === undefined || second === undefined) break
    entries.push({
      path: second,
      ...(renamed ? { oldPath: first } : {}),
      status: LETTERS[letter] ?? "modified",
      oldMode,
      newMode,
    })
    index += renamed ? 3 : 2
  }
  return entries
}

/** Parses `git diff --numstat -z`. */
export function parseNumstat(text: string): readonly NumStat[] {
  const parts = text.split("\0")
  const stats: NumStat[] = []
  for (let index = 0; index < parts.length; index += 1) {
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(parts[index] ?? "")
    if (match === null) continue
    const [, added = "-", removed = "-", name = ""] = match
    const counts = added === "-" ? {} : { insertions: Number(added), deletions: Number(removed) }
    if (name !== "") {
      stats.push({ path: name, ...counts })
      continue
    }
    const oldPath = parts[index + 1] ?? ""
    stats.push({ path: parts[index + 2] ?? "", oldPath, ...counts })
    index += 2
  }
  return stats
}
