import type { ScanContext } from "./cursor.ts"
import type { CommandFrame, HereDocument } from "./frames.ts"

/** Passes over the bodies of the here-documents of the line that ended at `from`; answers where the next line begins. */
export function readBodies(
  text: string,
  from: number,
  { frame, context }: { readonly frame: CommandFrame; readonly context: ScanContext },
): number {
  let at = from
  for (const document of frame.hereDocuments.splice(0)) {
    const { end, next } = bodyEnd(text, at, document)
    const body = document.verbatim ? "" : text.slice(at, end)
    if (/[$`]/.test(body)) context.later({ text: body, as: "body", within: document.command })
    at = next
  }
  return at
}

/** A body without its delimiter goes to the end of the text. */
function bodyEnd(
  text: string,
  from: number,
  { delimiter, stripsTabs }: HereDocument,
): { readonly end: number; readonly next: number } {
  let at = from
  while (at < text.length) {
    const found = text.indexOf("\n", at)
    const lineEnd = found === -1 ? text.length : found
    const line = text.slice(at, lineEnd)
    if ((stripsTabs ? line.replace(/^\t+/, "") : line) === delimiter) return { end: at, next: lineEnd + 1 }
    at = lineEnd + 1
  }
  return { end: text.length, next: text.length }
}
