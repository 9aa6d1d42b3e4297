import { jsonPosition, type TextPosition } from "./json-position.ts"

/** Deepest nesting of objects and arrays that a request may have; the root is 1 (spec doors.md §2.2 step 11). */
export const MAX_JSON_DEPTH = 32

/** A JSON object as read: own members only, `__proto__` an ordinary member. Copy it with spread, never by assignment. */
export type JsonObject = { readonly [member: string]: unknown }

/** Why a text is not acceptable JSON and where: 1-based line, 1-based column in code points, where known. */
export interface JsonFault extends Partial<TextPosition> {
  readonly reason: "syntax" | "root" | "depth" | "encoding" | "duplicate_key"
}

/** The outcome of reading a text: the object, or the first fault. */
export type JsonReading =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly fault: JsonFault }

/**
 * Reads a text as one JSON object under the rules of doors.md §2.2 step 11: JSON syntax, root object, nesting ≤ 32,
 * well-formed Unicode in every member and string (an escape is no way to half a surrogate pair), no duplicate member in
 * any object (compared after decoding escapes). Linear; never throws. Also the rule inside `arguments_json` of the
 * gateways and for MCP messages.
 */
export function readStrictJson(text: string): JsonReading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return faultAt(text, "syntax")
  }
  if (!isJsonObject(value)) return faultAt(text, "root")
  const shape = scanShape(text)
  if (shape.depth > MAX_JSON_DEPTH) return faultAt(text, "depth")
  if (mayHoldHalfPair(text) && !isWellFormed(value)) return faultAt(text, "encoding")
  // A repeated member is one colon more in the text than members in the value.
  if (shape.members !== countMembers(value)) return faultAt(text, "duplicate_key")
  return { ok: true, value }
}

/** Whether a parsed value is an object in JSON's sense: neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function faultAt(text: string, reason: JsonFault["reason"]): JsonReading {
  const position = jsonPosition(text, { reason, maxDepth: MAX_JSON_DEPTH })
  // A text too deep for the position finder is refused for its depth, whatever else is wrong with it.
  if (position === "too_deep") return { ok: false, fault: { reason: "depth" } }
  return { ok: false, fault: { reason, ...position } }
}

/** Decoded UTF-8 holds whole pairs alone, so only an escape can make half of one; most texts have none and are not walked. */
function mayHoldHalfPair(text: string): boolean {
  return /\\u[dD][89a-fA-F]/.test(text) || !text.isWellFormed()
}

/** Whether every string and member name within is well-formed Unicode; the depth is bounded by the caller. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed()
  if (typeof value !== "object" || value === null) return true
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member))
}

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** Deepest nesting and number of members of a text already known to be JSON. */
function scanShape(text: string): { depth: number; members: number } {
  let depth = 0
  let deepest = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) members++
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((code | 0x20) === 0x7b) {
      depth++
      if (depth > deepest) deepest = depth
    } else if ((code | 0x20) === 0x7d) depth--
  }
  return { depth: deepest, members }
}

/** Index of the quote that ends the string starting at `open`. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

/** Number of members of all objects in a value; its depth is bounded by the caller. */
function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") members += countMembers(item)
    return members
  }
  for (const member of Object.values(value)) {
    members++
    if (typeof member === "object") members += countMembers(member)
  }
  return members
}
