import { cutText, headAndTail, leftOutMarker } from "./cut-text.ts"
import { escapedSums, serialisedLength } from "./escaped-length.ts"
import type { Place } from "./json-path.ts"
import { largestFitting } from "./largest.ts"

/** What one reduction did: counted in `unit`, and how many units of serialised JSON it saved. */
export interface ReductionResult {
  readonly unit: "characters" | "items" | "members"
  readonly total: number
  readonly kept: number
  readonly saved: number
}

/** A text or list that can be shortened: `saves(n)` units of JSON when only `n` of its `total` parts stay. */
interface Shortening {
  readonly total: number
  saves(kept: number): number
  /** Shortens in place; gives how many parts stay and what that saved. */
  apply(kept: number): { kept: number; saved: number }
}

/** Shortens all to one common size ≥ `min`, the largest that saves `excess`. */
function shorten(
  all: readonly Shortening[],
  excess: number,
  min: number,
): { total: number; kept: number; saved: number } {
  const longest = all.reduce((most, one) => Math.max(most, one.total), min)
  const savedAt = (cap: number) => all.reduce((sum, one) => sum + (one.total > cap ? one.saves(cap) : 0), 0)
  const cap = largestFitting(min, longest, (size) => savedAt(size) >= excess)
  const result = { total: 0, kept: 0, saved: 0 }
  for (const one of all) {
    const done = one.total > cap ? one.apply(cap) : { kept: one.total, saved: 0 }
    result.total += one.total
    result.kept += done.kept
    result.saved += done.saved
  }
  return result
}

function textShortening({ parent, key }: Place): Shortening[] {
  const text = parent[key]
  if (typeof text !== "string") return []
  const sums = escapedSums(text)
  const whole = sums[text.length] ?? 0
  const saves = (kept: number): number => {
    const { head, tail } = headAndTail(kept)
    const left = (sums[text.length - tail] ?? 0) - (sums[head] ?? 0)
    return left - serialisedLength(leftOutMarker(text.length - kept)) + 2
  }
  const apply = (kept: number) => {
    if (saves(kept) <= 0) return { kept: text.length, saved: 0 }
    const cut = cutText(text, kept)
    parent[key] = cut.text
    return { kept: cut.kept, saved: whole + 2 - serialisedLength(cut.text) }
  }
  return [{ total: text.length, saves: (kept) => Math.max(0, saves(kept)), apply }]
}

/** Shortens the texts at `places`, the longest first, until `excess` is saved or each has `min` characters. */
export function reduceTexts(places: readonly Place[], excess: number, min: number): ReductionResult {
  return { unit: "characters", ...shorten(places.flatMap(textShortening), excess, min) }
}

/** Marks that a shortened list gets beside it: `returned`, `truncated`, or the list's own members of such a name. */
type ListMarks = (place: Place, kept: number) => Readonly<Record<string, unknown>>

function setAll(parent: Record<string, unknown>, marks: Readonly<Record<string, unknown>>): number {
  let grown = 0
  for (const [key, value] of Object.entries(marks)) {
    const before = key in parent ? serialisedLength(parent[key]) : -serialisedLength(key) - 2
    grown += serialisedLength(value) - before
    parent[key] = value
  }
  return grown
}

function listShortening(place: Place, marks: ListMarks): Shortening[] {
  const { parent, key } = place
  const list = parent[key]
  if (!Array.isArray(list)) return []
  const ends = [0]
  for (const item of list) ends.push((ends.at(-1) ?? 0) + serialisedLength(item) + 1)
  const whole = ends.at(-1) ?? 0
  const grows = (kept: number): number => setAll({ ...parent }, marks(place, kept))
  const lastComma = (kept: number): number => (kept === 0 ? 1 : 0)
  const saves = (kept: number): number => whole - (ends[kept] ?? whole) - lastComma(kept)
  const apply = (kept: number) => {
    parent[key] = list.slice(0, kept)
    return { kept, saved: saves(kept) - setAll(parent, marks(place, kept)) }
  }
  return [{ total: list.length, saves: (kept) => saves(kept) - grows(kept), apply }]
}

/** The marks of a list in an output. */
export function outputMarks({ parent, key }: Place, kept: number): Readonly<Record<string, unknown>> {
  const own = `${key}_truncated` in parent
  return own ? { [`${key}_truncated`]: true, [`${key}_returned`]: kept } : { truncated: true, returned: kept }
}

/** The mark of a list in an error's details (kernel.md §6). */
export function detailMarks({ key }: Place): Readonly<Record<string, unknown>> {
  return { [`${key}_truncated`]: true }
}

/** Drops entries from the end of the lists at `places` until `excess` is saved or each has `min`. */
export function reduceLists(
  places: readonly Place[],
  excess: number,
  options: { readonly min: number; readonly marks: ListMarks },
): ReductionResult {
  const all = places.flatMap((place) => listShortening(place, options.marks))
  return { unit: "items", ...shorten(all, excess, options.min) }
}

/** Removes the members at `places`, the last first, until `excess` is saved. */
export function dropMembers(places: readonly Place[], excess: number): ReductionResult {
  let saved = 0
  let kept = places.length
  for (const { parent, key } of places.toReversed()) {
    if (saved >= excess) break
    saved += serialisedLength(key) + 2 + serialisedLength(parent[key])
    delete parent[key]
    kept--
  }
  return { unit: "members", total: places.length, kept, saved }
}
