import { ToolError } from "../../kernel/error.ts"
import { firstUnencodable } from "../encodings.ts"
import { utf8Length } from "../utf8.ts"
import type { EditChange, EditInput } from "./changes.ts"
import { encodeExactly, type FileText } from "./file-text.ts"
import { refuseMarkers, refuseNewMarkers } from "./marker.ts"
import { createLineIndex, createMatcher, type LineIndex, type UnitRange } from "./match.ts"
import { findNear, isNearSearched, type NearMatch } from "./near.ts"
import { adaptReplacement, type Replacement, splitLines } from "./newlines.ts"
import { spliceBytes } from "./splice.ts"

/** What one edit did. */
export interface EditFacts {
  readonly index: number
  /** Places that were replaced. */
  readonly matches: number
  /** Lines of the original, from the first replaced place to the last. */
  readonly start_line: number
  readonly end_line: number
  /** Lines of the text that each place got. */
  readonly new_line_count: number
}

/** A file's new bytes. */
export interface PlannedEdit {
  readonly content: Uint8Array
  readonly edits: readonly EditFacts[]
}

interface LocatedEdit {
  readonly index: number
  readonly edit: EditInput
  readonly ranges: readonly UnitRange[]
}

const MAX_CANDIDATES = 8

function linesOf(lines: LineIndex, range: UnitRange): { start_line: number; end_line: number } {
  return { start_line: lines.lineAt(range.start), end_line: lines.lineAt(Math.max(range.start, range.end - 1)) }
}

const nearOf = (file: FileText, needle: string): readonly NearMatch[] =>
  isNearSearched(file.bytes.length, utf8Length(needle)) ? findNear(file.readable(), needle) : []

/** Finds the places of one edit, or says why they are not clear. */
function locate(
  found: readonly UnitRange[],
  edit: EditInput,
  about: { readonly index: number; readonly lines: LineIndex; readonly file: FileText },
): readonly UnitRange[] {
  const { index, lines, file } = about
  const { occurrence } = edit
  const details = {
    edit_index: index,
    match_count: found.length,
    ...(occurrence === undefined ? {} : { requested_occurrence: occurrence }),
    candidates: found.slice(0, MAX_CANDIDATES).map((range, at) => ({ occurrence: at + 1, ...linesOf(lines, range) })),
    candidates_truncated: found.length > MAX_CANDIDATES,
  }
  if (found.length === 0) {
    throw new ToolError(
      "match_not_found",
      "The old text is not in the file; read the file again and copy it exactly.",
      {
        details: { ...details, near: [...nearOf(file, edit.old_text)] },
      },
    )
  }
  if (edit.all === true) return found
  const wanted = found[(occurrence ?? 1) - 1]
  if (wanted === undefined) {
    throw new ToolError(
      "occurrence_out_of_range",
      `The old text occurs ${found.length} times; send an occurrence up to that.`,
      { details },
    )
  }
  if (occurrence === undefined && found.length > 1) {
    throw new ToolError(
      "multiple_matches",
      `The old text occurs ${found.length} times; send more of the text around it, an occurrence, or all.`,
      { details },
    )
  }
  return [wanted]
}

/** Refuses edits whose places overlap; touching is allowed. */
function refuseOverlap(located: readonly LocatedEdit[]): void {
  const places = located.flatMap(({ index, ranges }) => ranges.map((range) => ({ index, ...range })))
  places.sort((a, b) => a.start - b.start)
  for (const [at, place] of places.entries()) {
    const before = places[at - 1]
    if (before === undefined || before.end <= place.start) continue
    throw new ToolError("overlapping_edits", "Two edits change the same text; join them into one edit.", {
      details: {
        edit_index: Math.max(before.index, place.index),
        other_edit_index: Math.min(before.index, place.index),
      },
    })
  }
}

/** Units that take the place of each range, in the order of the ranges, of which a replacement is a part. */
function replacementsOf(
  file: FileText,
  located: readonly LocatedEdit[],
  newlines: "adapt" | "exact",
): readonly Replacement[] {
  const places = located.flatMap(({ edit, ranges }) => {
    const texts = { oldUnits: file.toUnits(edit.old_text), newUnits: file.toUnits(edit.new_text ?? "") }
    return ranges.map((range) => ({ range, texts }))
  })
  places.sort((a, b) => a.range.start - b.range.start)
  return places.map(({ range, texts }) =>
    newlines === "exact" ? { ...range, text: texts.newUnits } : adaptReplacement(file.units, range, texts),
  )
}

/** The units of the file after its replacements, which are in order. */
function replaced(units: string, replacements: readonly Replacement[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text } of replacements) {
    parts.push(units.slice(at, start), text)
    at = end
  }
  return `${parts.join("")}${units.slice(at)}`
}

function factsOf(lines: LineIndex, { index, edit, ranges }: LocatedEdit): EditFacts {
  const first = ranges[0] ?? { start: 0, end: 0 }
  return {
    index,
    matches: ranges.length,
    start_line: linesOf(lines, first).start_line,
    end_line: linesOf(lines, ranges.at(-1) ?? first).end_line,
    new_line_count: splitLines(edit.new_text ?? "").length,
  }
}

/**
 * Plans the edits of one file: all are located on its original content, and the result is a splice of it (§4.1).
 * @throws ToolError `match_not_found`, `multiple_matches`, `occurrence_out_of_range`, `overlapping_edits`,
 * `unencodable_text`, `encoding_mismatch`, `redaction_marker`.
 */
export function planEdit(file: FileText, change: EditChange): PlannedEdit {
  const matcher = createMatcher(file.units)
  const lines = createLineIndex(file.units)
  const located = change.edits.map((edit, index): LocatedEdit => {
    // An unpaired surrogate is no text of any file; encoded it would pass for U+FFFD.
    const isText = firstUnencodable(edit.old_text, "utf8") === undefined
    const found = isText ? matcher.find(file.toUnits(edit.old_text), change.newlines) : []
    return { index, edit, ranges: locate(found, edit, { index, lines, file }) }
  })
  refuseOverlap(located)
  const newTexts = change.edits.map(({ new_text }) => new_text ?? "")
  for (const text of newTexts) encodeExactly(text, file.form.encoding)
  refuseMarkers(newTexts, (marker) => file.units.includes(file.toUnits(marker)))
  const replacements = replacementsOf(file, located, change.newlines)
  refuseNewMarkers(file.units, replaced(file.units, replacements))
  const bytes = replacements.map(({ start, end, text }) => ({
    start: file.byteOffset(start),
    end: file.byteOffset(end),
    bytes: file.toBytes(text),
  }))
  return { content: spliceBytes(file.bytes, bytes), edits: located.map((edit) => factsOf(lines, edit)) }
}
