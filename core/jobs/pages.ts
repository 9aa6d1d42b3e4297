import type { PageSource } from "./output/line-reader.ts"
import type { StreamSource } from "./reading.ts"

const PAGE_BYTES = 262_144

/** The retained bytes of a stream from one offset to another, in order; what was dropped is left out. */
export function pagesOf(source: StreamSource, from = 0, to = source.total): PageSource {
  return async function* pages() {
    let at = from
    while (at < to) {
      const page = await source.read({ from: at, max: Math.min(PAGE_BYTES, to - at) })
      const bytes =
        page.from + page.bytes.length > to ? page.bytes.subarray(0, Math.max(0, to - page.from)) : page.bytes
      if (bytes.length === 0) return
      yield bytes
      at = page.from + bytes.length
    }
  }
}

/** The spool offset of the `index`-th retained byte at or after `from`. */
export function offsetOf(source: StreamSource, from: number, index: number): number {
  let left = index
  for (const range of source.retained) {
    const start = Math.max(range.from, from)
    if (start >= range.to) continue
    if (left < range.to - start) return start + left
    left -= range.to - start
  }
  return source.total
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
