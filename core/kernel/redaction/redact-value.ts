import { stepsOf } from "../budget/json-path.ts"
import type { JsonPath } from "../definition.ts"

/** Verbatim paths as a tree: the members that lead to a verbatim value, `[]` for the elements of a list. */
interface PathTree {
  readonly whole: boolean
  readonly members: ReadonlyMap<string, PathTree>
}

/** One tree of all paths. */
export function pathTree(paths: readonly JsonPath[]): PathTree {
  return treeOf(paths.map(stepsOf))
}

function treeOf(paths: readonly (readonly string[])[]): PathTree {
  const groups = new Map<string, (readonly string[])[]>()
  for (const [head, ...rest] of paths) {
    if (head === undefined) continue
    groups.set(head, [...(groups.get(head) ?? []), rest])
  }
  const members = new Map([...groups].map(([head, rests]) => [head, treeOf(rests)]))
  return { whole: paths.some((path) => path.length === 0), members }
}

/**
 * A copy of plain JSON in which every string went through `redact`; keys stay, and so does what a verbatim path
 * names. A value in which nothing changes is returned itself.
 */
export function redactStrings(value: unknown, redact: (text: string) => string, verbatim?: PathTree): unknown {
  if (verbatim?.whole === true) return value
  if (typeof value === "string") return redact(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return redactList(value, redact, verbatim?.members.get("[]"))
  let changed = false
  const entries = Object.entries(value).map(([key, member]) => {
    const masked = redactStrings(member, redact, verbatim?.members.get(key))
    changed ||= masked !== member
    return [key, masked]
  })
  return changed ? Object.fromEntries(entries) : value
}

function redactList(list: readonly unknown[], redact: (text: string) => string, verbatim?: PathTree): unknown {
  const masked = list.map((item) => redactStrings(item, redact, verbatim))
  return masked.some((item, index) => item !== list[index]) ? masked : list
}
