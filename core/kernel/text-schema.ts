import { z } from "zod"

/** Unicode code points of a text: what JSON Schema's `minLength` and `maxLength` count (design §6). */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** The text, or its first `max` code points. */
export function cutToCodePoints(text: string, max: number): string {
  return text.length <= max || codePoints(text) <= max ? text : [...text].slice(0, max).join("")
}

/** Whether a text holds one of U+0000–001F, 007F–009F. */
export function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true
  }
  return false
}

/** What ends a line, for who prints or splits texts; U+0085 is a control character as well. */
export const LINE_END = /[\n\r\u0085\u2028\u2029]/

/**
 * A string of `min` to `max` Unicode code points, projected as `minLength` and `maxLength`. Zod's own bounds count UTF-16
 * units and would refuse a text that the published schema allows.
 */
export function textSchema(min: number, max: number) {
  return z
    .string()
    .check((context) => {
      const input = context.value
      if (input.length < min || (input.length < 2 * min && codePoints(input) < min)) {
        context.issues.push({ code: "too_small", origin: "string", minimum: min, inclusive: true, input })
      } else if (input.length > max && codePoints(input) > max) {
        context.issues.push({ code: "too_big", origin: "string", maximum: max, inclusive: true, input })
      }
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max })
}

/** A `textSchema` for what people recognise something by and lists print on one line: no control characters, no line ends. */
export function labelSchema(min: number, max: number) {
  return textSchema(min, max).check((context) => {
    const input = context.value
    if (hasControlCharacter(input) || LINE_END.test(input))
      context.issues.push({ code: "invalid_format", format: "label", input })
  })
}
