import { ansiQuoted } from "../../kernel/redaction/ansi-quoted.ts"
import type { Cursor } from "./cursor.ts"
import { commandFrame, emptyCommand, type Frame, textFrame } from "./frames.ts"
import type { WordBuilder } from "./word.ts"

const VARIABLE = /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y

/** A run of units that mean nothing else in a word outside of quotes. */
export const PLAIN = /[^ \t\n\\'"$`#;&|()<>]+/y

/** Reads a quoted or expanded part of a word; `false` where none begins here. */
export function readWordPart(cursor: Cursor, frame: Frame): boolean {
  const read = PARTS.get(cursor.peek())
  read?.(cursor, frame)
  return read !== undefined
}

const PARTS: ReadonlyMap<string, (cursor: Cursor, frame: Frame) => void> = new Map([
  ["\\", readEscape],
  ["'", (cursor: Cursor, { word }: Frame) => readSingle(cursor, word)],
  ['"', readQuote],
  ["$", readDollar],
  ["`", readBacktick],
])

function readEscape(cursor: Cursor, { word }: Frame): void {
  const next = cursor.peek(1)
  if (next !== "\n") word.quoted(next === "" ? "\\" : next)
  cursor.at += 2
}

/** `'…'`. */
export function readSingle(cursor: Cursor, word: WordBuilder): void {
  const found = cursor.text.indexOf("'", cursor.at + 1)
  const end = found === -1 ? cursor.text.length : found
  word.quoted(cursor.text.slice(cursor.at + 1, end))
  cursor.at = end + 1
}

/** Opens `"…"`. */
export function readQuote(cursor: Cursor, { word, command }: Frame): void {
  word.quoted("")
  cursor.frames.push(textFrame("double", { word, command, start: cursor.at, inDouble: true }))
  cursor.at += 1
}

/** Whatever begins with `$`. */
export function readDollar(cursor: Cursor, frame: Frame): void {
  const { word, command } = frame
  const inDouble = isQuoted(frame)
  const next = cursor.peek(1)
  if (next === "(" && cursor.peek(2) !== "(") openSubstitution(cursor, frame)
  else if (next === "(" || next === "{") {
    const opening = next === "(" ? "$((" : "${"
    const kind = next === "(" ? "arithmetic" : "parameter"
    word.expanded(opening)
    cursor.frames.push(textFrame(kind, { word, command, start: cursor.at, inDouble }))
    cursor.at += opening.length
  } else if (next === "'" && !inDouble) {
    const found = ansiQuoted(cursor.text, cursor.at + 2)
    word.quoted(found?.value ?? "")
    cursor.at = (found?.end ?? cursor.text.length) + 1
  } else {
    cursor.at += 1
    readVariable(cursor, word, inDouble)
  }
}

function readVariable(cursor: Cursor, word: WordBuilder, inDouble: boolean): void {
  // `$"…"` is an ordinary quotation for whoever does not translate.
  if (cursor.peek() === '"' && !inDouble) return
  const name = cursor.take(VARIABLE)
  if (name !== "") word.expanded(`$${name}`)
  else if (inDouble) word.quoted("$")
  else word.plain("$")
}

/** A command in backticks is a text of its own: its backslashes are taken off before it is read. */
export function readBacktick(cursor: Cursor, frame: Frame): void {
  const end = cursor.closing("`", cursor.at + 1)
  const source = cursor.text.slice(cursor.at + 1, end)
  frame.word.expanded("``")
  cursor.context.later({
    text: source.replace(isQuoted(frame) ? /\\([\\$`"])/g : /\\([\\$`])/g, "$1"),
    as: "commands",
    within: frame.command,
  })
  cursor.at = end + 1
}

/** `$(`, `<(` or `>(`: commands inside a word. */
export function openSubstitution(cursor: Cursor, { word, command }: Frame): void {
  word.expanded(cursor.text.slice(cursor.at, cursor.at + 2))
  cursor.frames.push(commandFrame(emptyCommand(cursor.context.pipeline(), command)))
  cursor.at += 2
}

const isQuoted = (frame: Frame): boolean => "inDouble" in frame && frame.inDouble
