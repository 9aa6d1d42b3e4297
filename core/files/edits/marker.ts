import { ToolError } from "../../kernel/error.ts"

const MARKER = /\[redacted:[A-Za-z0-9_]*\]?/g

/**
 * Refuses text that would write a mask over a secret: every `[redacted:…]` in it must stand in the file already (§4.1).
 * @param holds Whether the file's own bytes hold a text.
 * @throws ToolError `redaction_marker`.
 */
export function refuseMarkers(texts: readonly string[], holds: (marker: string) => boolean): void {
  const markers = new Set(texts.flatMap((text) => text.match(MARKER) ?? []))
  if ([...markers].every(holds)) return
  throw new ToolError(
    "redaction_marker",
    "The new text holds a redaction mask that the file itself does not hold; edit only the text around the masked secret.",
  )
}

/**
 * Refuses a result that holds a mask which the file does not, also one that several texts only make together.
 * @throws ToolError `redaction_marker`.
 */
export function refuseNewMarkers(before: string, after: string): void {
  const known = new Set(before.match(MARKER) ?? [])
  const made = (after.match(MARKER) ?? []).filter((marker) => !known.has(marker))
  refuseMarkers(made, (marker) => before.includes(marker))
}
