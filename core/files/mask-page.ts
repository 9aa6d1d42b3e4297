import { maskOf } from "../kernel/redaction/mask.ts"
import type { TextSpan } from "../kernel/redaction/text-spans.ts"

/** UTF-16 units before and after a page that decide what is masked in it: twice what a redactor may hold back, and once. */
export const LOOK_BEHIND = 32 * 1024
export const LOOK_AHEAD = 16 * 1024

/** The lines of a page as they stand in the file. */
export interface RawLines {
  readonly lines: readonly string[]
  readonly startLine: number
  readonly numbered: boolean
}

/** A page as it is shown, and how many secrets have a part in it. */
export interface MaskedPage {
  readonly text: string
  readonly masks: number
}

const numberOf = (raw: RawLines, index: number): string => (raw.numbered ? `${raw.startLine + index}\t` : "")

/**
 * Masks a page by the spans of a text round it, in which the page begins at `base`. A mask stands where its span begins,
 * in the page that holds that place, so that pages concatenate to the masked file; lines keep the numbers of the file.
 */
export function maskPage(raw: RawLines, base: number, spans: readonly TextSpan[]): MaskedPage {
  let text = ""
  let at = base
  let next = 0
  const seen = new Set<TextSpan>()
  for (const [index, line] of raw.lines.entries()) {
    const end = at + line.length
    while ((spans[next]?.to ?? end) <= at) next += 1
    if ((spans[next]?.from ?? at) >= at) text += numberOf(raw, index)
    for (let from = at; from < end; ) {
      const span = spans[next]
      if (span === undefined || span.from >= end) {
        text += line.slice(from - at)
        break
      }
      text += line.slice(from - at, Math.max(from, span.from) - at)
      if (span.from >= from && span.name !== undefined) text += maskOf(span.name)
      seen.add(span)
      from = Math.max(from, span.to)
      if (span.to <= end) next += 1
    }
    at = end
  }
  const named = [...seen].filter((span) => span.name !== undefined).length
  return { text, masks: seen.size > 0 ? Math.max(1, named) : 0 }
}
