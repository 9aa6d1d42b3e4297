import type { Cursor } from "./cursor.ts"
import { commandFrame, emptyCommand, type TextFrame } from "./frames.ts"
import { readBacktick, readDollar, readQuote, readSingle } from "./word-parts.ts"

const INNER = /[^\\'"$`(){}]+/y

/** Goes on in a part of a word that has its own end. */
export function stepText(cursor: Cursor, frame: TextFrame): void {
  const { kind, inDouble } = frame
  const sign = cursor.peek()
  if (sign === "\\") readEscape(cursor, frame)
  else if (sign === "$") readDollar(cursor, frame)
  else if (sign === "`") readBacktick(cursor, frame)
  else if (sign === "'" && !inDouble) readSingle(cursor, frame.word)
  else if (sign === '"' && kind === "double") {
    cursor.at += 1
    cursor.frames.pop()
  } else if (sign === '"' && kind !== "body") readQuote(cursor, frame)
  else if (sign === "(" || sign === ")" || sign === "}") readBracket(cursor, frame, sign)
  else {
    const run = cursor.take(INNER)
    add(frame, run === "" ? sign : run)
    if (run === "") cursor.at += 1
  }
}

function add({ kind, word }: TextFrame, part: string): void {
  if (kind === "double") word.quoted(part)
  else if (kind !== "body") word.expanded(part)
}

function readEscape(cursor: Cursor, frame: TextFrame): void {
  const escaped = cursor.peek() + cursor.peek(1)
  cursor.at += 2
  const isTakenOff = frame.kind === "double" && /^\\[$`"\\\n]/.test(escaped)
  add(frame, isTakenOff ? escaped.slice(1).replace("\n", "") : escaped)
}

function readBracket(cursor: Cursor, frame: TextFrame, sign: "(" | ")" | "}"): void {
  const { kind } = frame
  cursor.at += 1
  add(frame, sign)
  if (kind === "parameter" && sign === "}") cursor.frames.pop()
  if (kind !== "arithmetic" && kind !== "pattern") return
  if (sign === "(") frame.depth += 1
  if (sign !== ")") return
  if (frame.depth > 0) frame.depth -= 1
  else if (kind === "pattern") cursor.frames.pop()
  else if (cursor.peek() === ")") {
    cursor.at += 1
    cursor.frames.pop()
  } else rereadAsCommands(cursor, frame)
}

/** `((` whose end is not `))` was a group in a substitution or in a group: it is read again as that. */
function rereadAsCommands(cursor: Cursor, { start, command }: TextFrame): void {
  cursor.frames.pop()
  if (!cursor.context.mayRepeat(cursor.at - start)) return
  cursor.at = start + (cursor.text[start] === "$" ? 3 : 2)
  const outer = commandFrame(emptyCommand(cursor.context.pipeline(), command))
  cursor.frames.push(outer, commandFrame({ ...outer.command, words: [], outputs: [] }, outer.hereDocuments))
}
