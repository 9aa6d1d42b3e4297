import { endCommand } from "./command-list.ts"
import { Cursor, type ScanContext, type ScanItem } from "./cursor.ts"
import { commandFrame, emptyCommand, type Frame, MAX_DEPTH, textFrame, type WordsFrame } from "./frames.ts"
import { readHash, stepCommands } from "./operators.ts"
import { stepText } from "./text-parts.ts"
import { isBare, WordBuilder } from "./word.ts"
import { openSubstitution, PLAIN, readWordPart } from "./word-parts.ts"

/**
 * Reads one text from left to right with a stack of what is open; every unit is looked at a bounded number of times.
 * `false` where the text is nested too deeply to be read to its end.
 */
export function scanText({ text, as, within }: ScanItem, context: ScanContext): boolean {
  const cursor = new Cursor(text, context)
  const command = emptyCommand(context.pipeline(), within)
  cursor.frames.push(
    as === "commands"
      ? commandFrame(command)
      : textFrame("body", { word: new WordBuilder(), command, start: 0, inDouble: true }),
  )
  let frame = cursor.frames.at(-1)
  while (cursor.at < text.length && frame !== undefined && cursor.frames.length <= MAX_DEPTH) {
    step(cursor, frame)
    frame = cursor.frames.at(-1)
  }
  for (const open of cursor.frames.reverse()) if (open.kind === "commands") endCommand(open, context)
  return cursor.at >= text.length
}

function step(cursor: Cursor, frame: Frame): void {
  if (frame.kind === "commands") stepCommands(cursor, frame)
  else if (frame.kind === "words") stepWords(cursor, frame)
  else stepText(cursor, frame)
}

function stepWords(cursor: Cursor, frame: WordsFrame): void {
  if (readWordPart(cursor, frame)) return
  const sign = cursor.peek()
  const plain = cursor.take(PLAIN)
  if (plain !== "") frame.word.plain(plain)
  else if (sign === "#") readHash(cursor, frame)
  else if ((sign === "<" || sign === ">") && cursor.peek(1) === "(") openSubstitution(cursor, frame)
  else endListedWord(cursor, frame)
}

/** The word before an operator or a blank; `]]` leaves the operator to the list around it. */
function endListedWord(cursor: Cursor, frame: WordsFrame): void {
  const { word } = frame.word
  const isLast = frame.of === "array" ? cursor.peek() === ")" : isBare(word, "]]")
  frame.word = new WordBuilder()
  if (isLast) cursor.frames.pop()
  if (!isLast || frame.of === "array") cursor.at += 1
}
