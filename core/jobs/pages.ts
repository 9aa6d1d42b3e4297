import type { PageSource } from "./output/line-reader.ts"
import type { StreamSource } from "./reading.ts"

const PAGE_BYTES = 65_536

/** A stream could not be read to its end in the time there was. */
export class OutOfTime extends Error {}

/** Which part of a stream to read, and until when. */
export interface PagesOptions {
  readonly from?: number
  /** Asked between pages. */
  readonly until?: () => boolean
}

/**
 * The retained bytes of a stream from an offset on, in order and small pages; what was dropped is left out. Throws
 * `OutOfTime` between two pages.
 */
export function pagesOf(source: StreamSource, { from = 0, until }: PagesOptions = {}): PageSource {
  return async function* pages() {
    let at = from
    while (at < source.total) {
      if (at > from && until?.() === true) throw new OutOfTime()
      const page = await source.read({ from: at, max: Math.min(PAGE_BYTES, source.total - at) })
      // Behind a dropped middle the page may reach beyond what there was when reading began.
      const bytes = page.bytes.subarray(0, Math.max(0, source.total - page.from))
      if (bytes.length === 0) return
      yield { bytes, from: page.from }
      at = page.from + bytes.length
    }
  }
}

/** The dropped range that `from` lies in, or that lies before the first retained byte after it. */
export function gapAt(
  source: StreamSource,
  from: number,
): { readonly from_byte: number; readonly to_byte: number } | undefined {
  if (from >= source.total || source.retained.some((range) => range.from <= from && from < range.to)) return undefined
  const next = source.retained.find((range) => range.from > from)
  return { from_byte: from, to_byte: next?.from ?? source.total }
}
