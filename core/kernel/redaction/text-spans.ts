import { type EngineParts, SpanEngine } from "./span-engine.ts"
import { decodeText, encodeText } from "./text-codec.ts"

/** A part of a text that a mask replaces, in UTF-16 units; without a name it only goes on with the mask before it. */
export interface TextSpan {
  readonly from: number
  readonly to: number
  readonly name?: string
}

/** The spans of one text that are masked, first to last. Control sequences are taken as characters. */
export function spansOf(text: string, parts: EngineParts): readonly TextSpan[] {
  const bytes = encodeText(text)
  const engine = new SpanEngine(parts)
  const spans: TextSpan[] = []
  let at = 0
  let units = 0
  const unitOf = (position: number): number => {
    if (position > at) units += decodeText(bytes.subarray(at, position)).length
    at = Math.max(at, position)
    return units
  }
  engine.onSpan = ({ from, to, name }) => {
    spans.push({ from: unitOf(from), to: unitOf(to), ...(name === undefined ? {} : { name }) })
  }
  engine.append(bytes, 0, bytes.length)
  engine.advance(true)
  return spans
}
