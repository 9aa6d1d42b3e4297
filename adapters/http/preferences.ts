import { headerValues, type RawHeaders } from "./raw-headers.ts"

/** What a caller stated with `Prefer` and what the reply echoes of it (spec doors.md §2.4). */
export interface Preferences {
  /** Time for the whole call in milliseconds: the stated wait less half a second for the way back. */
  readonly deadlineMs?: number
  /** Reply limit in UTF-16 units of serialised JSON. */
  readonly replyLimit?: number
  /** Value of `Preference-Applied`; absent when nothing was applied. */
  readonly applied?: string
}

const WAIT_SECS = { min: 1, max: 600 }
const MAX_CHARS = { min: 1_000, max: 4_000_000 }
const WAY_BACK_MS = 500

/**
 * Reads `Prefer: wait=N` and `Prefer: max-chars=M` (RFC 7240). Out of range is clamped, unparsable is ignored; of two
 * equal names the first counts.
 */
export function readPreferences(rawHeaders: RawHeaders): Preferences {
  const stated = statedPreferences(rawHeaders)
  const waitSecs = clamped(stated.get("wait"), WAIT_SECS)
  const maxChars = clamped(stated.get("max-chars"), MAX_CHARS)
  const applied = [
    ...(waitSecs === undefined ? [] : [`wait=${waitSecs}`]),
    ...(maxChars === undefined ? [] : [`max-chars=${maxChars}`]),
  ]
  return {
    ...(waitSecs === undefined ? {} : { deadlineMs: waitSecs * 1000 - WAY_BACK_MS }),
    ...(maxChars === undefined ? {} : { replyLimit: maxChars }),
    ...(applied.length === 0 ? {} : { applied: applied.join(", ") }),
  }
}

function statedPreferences(rawHeaders: RawHeaders): ReadonlyMap<string, string> {
  const stated = new Map<string, string>()
  for (const preference of headerValues(rawHeaders, "prefer").flatMap((line) => line.split(","))) {
    const [, name, value] = /^\s*([\w-]+)\s*=\s*"?([^";]*)"?\s*(?:;|$)/.exec(preference) ?? []
    if (name === undefined || value === undefined) continue
    if (!stated.has(name.toLowerCase())) stated.set(name.toLowerCase(), value)
  }
  return stated
}

function clamped(text: string | undefined, range: { readonly min: number; readonly max: number }): number | undefined {
  if (text === undefined || !/^[0-9]+$/.test(text)) return undefined
  return Math.min(Math.max(Number(text), range.min), range.max)
}
