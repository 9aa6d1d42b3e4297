import { wholeCharacters } from "../jobs/output/utf8.ts"
import type { StreamName } from "../jobs/record.ts"
import type { JobRunner, SpoolPage } from "../jobs/runner.ts"
import type { JobId } from "../kernel/ids.ts"

/** Most bytes of one event. */
const MAX_BYTES = 16_384

/** What lies next in a stream: text, a gap, or nothing for now. */
export type NextOutput =
  | { readonly kind: "text"; readonly offset: number; readonly bytes: number; readonly text: string }
  | { readonly kind: "gap"; readonly offset: number; readonly bytes: number }
  | { readonly kind: "none" }

/** Whose output is read, and from where. */
export interface OutputPlace {
  readonly jobId: JobId
  readonly stream: StreamName
  readonly from: number
  /** Nothing more will come: a last unfinished character is shown as it is. */
  readonly final: boolean
  /** Bytes that were written in all, where that is known: what is not kept at all is a gap, too. */
  readonly written: number
  /** What a read there would give, where it is known. */
  readonly page?: SpoolPage | undefined
}

/**
 * The next piece of a stream from an offset on (spec shells.md §13): whoever is slow reads the same bytes later, and is told
 * how many were given up meanwhile.
 */
export async function nextOutput(runner: JobRunner, place: OutputPlace): Promise<NextOutput> {
  const { jobId, stream, from, final, written } = place
  const page = place.page ?? (await runner.read(jobId, stream, { from, max: MAX_BYTES }))
  if (page === undefined || page.retained.length === 0)
    return final && written > from ? { kind: "gap", offset: from, bytes: written - from } : { kind: "none" }
  if (page.from > from) return { kind: "gap", offset: from, bytes: page.from - from }
  const { bytes } = page
  const whole = wholeCharacters(bytes)
  const isLast = final && reachesEnd(page)
  // The rest of a character can have been given up with what followed.
  const length = isLast || (whole === 0 && !reachesEnd(page)) ? bytes.length : whole
  if (length === 0) return { kind: "none" }
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, length))
  return { kind: "text", offset: from, bytes: length, text }
}

const reachesEnd = ({ from, bytes, total }: SpoolPage): boolean => from + bytes.length >= total

/** Where the last `bytes` of a stream begin, on a character border; 0 for a shorter one. */
export async function tailStart(
  runner: JobRunner,
  of: { readonly jobId: JobId; readonly stream: StreamName; readonly bytes: number },
): Promise<number> {
  const { jobId, stream } = of
  const end = await runner.read(jobId, stream, { from: 0, max: 0 })
  const from = Math.max(0, (end?.total ?? 0) - of.bytes)
  if (from === 0) return 0
  const page = await runner.read(jobId, stream, { from, max: 4 })
  const border = page?.bytes.findIndex((byte) => byte < 0x80 || byte >= 0xc0) ?? 0
  return (page?.from ?? from) + Math.max(0, border)
}
