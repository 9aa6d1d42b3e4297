import { ToolError } from "../kernel/error.ts"
import { LINE_END } from "../kernel/text-schema.ts"

const MAX_TAGS = 16

type Reason = "empty" | "control" | "malformed" | "one_line"

const SENTENCES: Readonly<Record<Reason, string>> = {
  empty: "is empty without the white space round it",
  control: "holds a control character",
  malformed: "is not well-formed Unicode",
  one_line: "has more than one line",
}

function refuse(field: string, reason: Reason): ToolError<"invalid_session_message"> {
  return new ToolError("invalid_session_message", `${field} ${SENTENCES[reason]}. Correct it and call again.`, {
    details: { field, reason },
  })
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f)
}

function holdsControl(text: string, allowed: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (isControl(text.charCodeAt(at)) && !allowed.includes(text.charAt(at))) return true
  }
  return false
}

/** A text of a board without white space round it (spec messages.md §1). @throws ToolError `invalid_session_message` */
export function boardText(field: "message" | "resolution" | "answer", text: string): string {
  if (!text.isWellFormed()) throw refuse(field, "malformed")
  if (holdsControl(text, "\n\t\r")) throw refuse(field, "control")
  const trimmed = text.trim()
  if (trimmed === "") throw refuse(field, "empty")
  return trimmed
}

/** Tags trimmed, without empty and repeated ones, in their order. @throws ToolError `invalid_session_message` */
export function boardTags(tags: readonly string[]): readonly string[] {
  const trimmed = tags.map((tag) => {
    if (!tag.isWellFormed()) throw refuse("tags", "malformed")
    const text = tag.trim()
    if (LINE_END.test(text)) throw refuse("tags", "one_line")
    if (holdsControl(text, "")) throw refuse("tags", "control")
    return text
  })
  return [...new Set(trimmed)].filter((tag) => tag !== "").slice(0, MAX_TAGS)
}

/** A caller's key without white space round it. @throws ToolError `invalid_session_message` */
export function boardKey(field: "delivery_key" | "completion_key", key: string): string {
  if (!key.isWellFormed()) throw refuse(field, "malformed")
  const trimmed = key.trim()
  if (trimmed === "") throw refuse(field, "empty")
  return trimmed
}

/** The longest prefix of whole characters that has at most `max` of them. */
export function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text
  let kept = ""
  let count = 0
  for (const character of text) {
    if (count === max) return kept
    kept += character
    count += 1
  }
  return text
}

/** The longest prefix of whole characters that has at most `max` bytes of UTF-8. */
export function firstBytes(text: string, max: number): string {
  let kept = ""
  let left = max
  for (const character of text) {
    left -= Buffer.byteLength(character)
    if (left < 0) return kept
    kept += character
  }
  return text
}
