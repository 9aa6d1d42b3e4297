import { dropCommand, endCommand, endWord } from "./command-list.ts"
import type { Cursor } from "./cursor.ts"
import { type CommandFrame, commandFrame, emptyCommand, textFrame, type WordsFrame } from "./frames.ts"
import { readBodies } from "./here-documents.ts"
import { isAssignment, isBare, WordBuilder } from "./word.ts"
import { openSubstitution, PLAIN, readWordPart } from "./word-parts.ts"

const BLANKS = /[ \t]+/y
const REDIRECTION = /<<<|<<-|<<|<>|<&|<|>>|>\||>&|>/y
const CASE_END = /;;&|;;|;&|;/y
const FUNCTION_PARENS = /\([ \t]*\)/y
const DESCRIPTOR = /^(?:[0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\})$/
/** A newline does not end these. */
const HEADERS = new Set<CommandFrame["at"]>(["function_name", "for_name", "for_in", "case_word", "case_in"])

/** Goes on in a list of commands. */
export function stepCommands(cursor: Cursor, frame: CommandFrame): void {
  if (readWordPart(cursor, frame)) return
  const operator = OPERATORS.get(cursor.peek())
  if (operator === undefined) frame.word.plain(cursor.take(PLAIN))
  else operator(cursor, frame)
}

const OPERATORS: ReadonlyMap<string, (cursor: Cursor, frame: CommandFrame) => void> = new Map([
  [" ", readBlanks],
  ["\t", readBlanks],
  ["\n", readNewline],
  ["#", readHash],
  [";", readSemicolon],
  ["&", readAmpersand],
  ["|", readBar],
  ["(", readOpen],
  [")", readClose],
  ["<", readRedirection],
  [">", readRedirection],
])

/** `#` begins a comment only where a word could begin. */
export function readHash(cursor: Cursor, { word }: CommandFrame | WordsFrame): void {
  if (word.started) {
    word.plain("#")
    cursor.at += 1
    return
  }
  const end = cursor.text.indexOf("\n", cursor.at)
  cursor.at = end === -1 ? cursor.text.length : end
}

function closeWord(cursor: Cursor, frame: CommandFrame): void {
  if (endWord(frame, cursor.context) !== "condition") return
  cursor.frames.push({ kind: "words", of: "condition", word: new WordBuilder(), command: frame.command })
}

function readBlanks(cursor: Cursor, frame: CommandFrame): void {
  cursor.take(BLANKS)
  closeWord(cursor, frame)
}

/** Ends a command at `sign`, which is passed over. */
function separate(cursor: Cursor, frame: CommandFrame, sign: string): void {
  cursor.at += sign.length
  endCommand(frame, cursor.context, sign === "|" || sign === "|&")
  if (frame.at !== "pattern" && !(sign === "\n" && HEADERS.has(frame.at))) frame.at = "command"
}

function readNewline(cursor: Cursor, frame: CommandFrame): void {
  separate(cursor, frame, "\n")
  cursor.at = readBodies(cursor.text, cursor.at, { frame, context: cursor.context })
}

function readSemicolon(cursor: Cursor, frame: CommandFrame): void {
  const start = cursor.at
  const sign = cursor.take(CASE_END)
  cursor.at = start
  separate(cursor, frame, sign)
  if (sign !== ";" && frame.cases > 0) frame.at = "pattern"
}

function readAmpersand(cursor: Cursor, frame: CommandFrame): void {
  const next = cursor.peek(1)
  if (next !== ">") {
    separate(cursor, frame, next === "&" ? "&&" : "&")
    return
  }
  closeWord(cursor, frame)
  frame.redirect = "output"
  cursor.at += cursor.peek(2) === ">" ? 3 : 2
}

function readBar(cursor: Cursor, frame: CommandFrame): void {
  if (frame.at === "pattern") {
    closeWord(cursor, frame)
    cursor.at += 1
    return
  }
  const next = cursor.peek(1)
  separate(cursor, frame, next === "|" || next === "&" ? `|${next}` : "|")
}

function readOpen(cursor: Cursor, frame: CommandFrame): void {
  if (frame.word.started && openInWord(cursor, frame)) return
  closeWord(cursor, frame)
  if (frame.at === "pattern") cursor.at += 1
  else if (!readFunctionParens(cursor, frame)) openGroup(cursor, frame)
}

/** `name()`, or the parentheses after `function name`. */
function readFunctionParens(cursor: Cursor, frame: CommandFrame): boolean {
  const { command } = frame
  const isName = frame.at === "argument" && command.words.length === 1 && !frame.assigned
  if ((!isName && frame.at !== "command") || cursor.take(FUNCTION_PARENS) === "") return false
  dropCommand(frame, command.pipeline)
  frame.at = "command"
  return true
}

function openGroup(cursor: Cursor, frame: CommandFrame): void {
  const { command } = frame
  const isArithmetic = frame.at !== "argument" && cursor.peek(1) === "("
  frame.at = "command"
  cursor.frames.push(
    isArithmetic
      ? textFrame("arithmetic", { word: new WordBuilder(), command, start: cursor.at })
      : commandFrame(emptyCommand(command.pipeline, frame.within), frame.hereDocuments),
  )
  cursor.at += isArithmetic ? 2 : 1
}

/** `name=(…)` and, after one of `?*+@!`, an extended pattern. */
function openInWord(cursor: Cursor, frame: CommandFrame): boolean {
  const { word, command } = frame
  const { word: known } = word
  if (isAssignment(known) && known.text.endsWith("=") && known.plainUnits === known.text.length) {
    cursor.at += 1
    cursor.frames.push({ kind: "words", of: "array", word: new WordBuilder(), command })
    return true
  }
  const isNegation = frame.at === "command" && isBare(known, "!")
  if (isNegation || !"?*+@!".includes(cursor.peek(-1))) return false
  word.expanded("(")
  cursor.frames.push(textFrame("pattern", { word, command, start: cursor.at }))
  cursor.at += 1
  return true
}

function readClose(cursor: Cursor, frame: CommandFrame): void {
  closeWord(cursor, frame)
  const endsPattern = frame.at === "pattern"
  frame.at = "command"
  cursor.at += 1
  if (endsPattern) return
  endCommand(frame, cursor.context)
  if (cursor.frames.length === 1) return
  cursor.frames.pop()
  const outer = cursor.frames.findLast((open) => open.kind === "commands")
  if (outer !== undefined && outer.hereDocuments !== frame.hereDocuments)
    outer.hereDocuments.push(...frame.hereDocuments)
}

function readRedirection(cursor: Cursor, frame: CommandFrame): void {
  if (cursor.peek(1) === "(") {
    openSubstitution(cursor, frame)
    return
  }
  const { text, plainUnits } = frame.word.word
  if (plainUnits === text.length && DESCRIPTOR.test(text)) frame.word = new WordBuilder()
  else closeWord(cursor, frame)
  const sign = cursor.take(REDIRECTION)
  if (sign === "<<" || sign === "<<-") frame.redirect = { stripsTabs: sign === "<<-" }
  else frame.redirect = sign.startsWith("<") && sign !== "<>" ? "input" : "output"
}
