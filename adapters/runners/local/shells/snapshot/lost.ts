/** All that a new process could not take over. */
export interface LostFacts {
  /** Of the restore text, and what its report named. */
  readonly snapshot: readonly string[]
  /** Signals with a trap of the user, from the last idle record. */
  readonly trapped: readonly string[]
  /** Live children that the old process left behind or took with it. */
  readonly pids: readonly number[]
  /** Descriptors above 2 that the old process held for its user. */
  readonly descriptors: readonly number[]
}

const MAX_LOST = 8
const MAX_NAMED = 4

/** The entries of `lost` (spec shells.md §5.6), at most 8; what has no room is counted in the last one. */
export function lostEntries({ snapshot, trapped, pids, descriptors }: LostFacts): readonly string[] {
  const all = [
    ...snapshot.filter((entry) => !entry.includes(" ")),
    ...listed("traps", trapped),
    ...listed("pids", pids),
    ...listed("descriptors", descriptors),
    ...snapshot.filter((entry) => entry.includes(" ")),
  ]
  return all.length <= MAX_LOST ? all : [...all.slice(0, MAX_LOST - 1), `${all.length - MAX_LOST + 1} more`]
}

function listed(what: string, entries: readonly (string | number)[]): readonly string[] {
  if (entries.length === 0) return []
  const more = entries.length > MAX_NAMED ? ` and ${entries.length - MAX_NAMED} more` : ""
  return [`${what} ${entries.slice(0, MAX_NAMED).join(" ")}${more}`]
}
