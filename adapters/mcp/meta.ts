const DEADLINE_MS = { min: 1_000, max: 600_000 }
const MAX_CHARS = { min: 1_000, max: 4_000_000 }

/** What a caller stated in `_meta` of a call (spec doors.md §2.4, §4.3). */
export interface StatedLimits {
  /** Time for the whole call, ms. */
  readonly deadlineMs: number
  /** UTF-16 units of the serialised reply; absent = the configured limit. */
  readonly replyLimit?: number
}

/** Reads `holdfast/deadline-ms` and `holdfast/max-chars`: out of range is clamped, anything but a whole number is ignored. */
export function readStatedLimits(
  meta: Readonly<Record<string, unknown>> | undefined,
  defaultDeadlineMs: number,
): StatedLimits {
  const deadlineMs = clamped(meta?.["holdfast/deadline-ms"], DEADLINE_MS) ?? defaultDeadlineMs
  const replyLimit = clamped(meta?.["holdfast/max-chars"], MAX_CHARS)
  return { deadlineMs, ...(replyLimit === undefined ? {} : { replyLimit }) }
}

function clamped(value: unknown, range: { readonly min: number; readonly max: number }): number | undefined {
  if (typeof value !== "number" || !Number.isInteger(value)) return undefined
  return Math.min(Math.max(value, range.min), range.max)
}
