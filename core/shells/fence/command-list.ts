import { type CommandFrame, emptyCommand, MAX_WORDS, type SimpleCommand } from "./frames.ts"
import { isAssignment, isBare, type Word, WordBuilder } from "./word.ts"

/** What a list of commands tells whoever reads it. */
export interface Listener {
  /** A simple command is complete. */
  command(command: SimpleCommand): void
  /** A number no pipeline has had yet. */
  pipeline(): number
}

/** Words after which a command begins, and those that end a compound command. */
const PASSED = new Set(["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "!", "{", "}"])
/** Words that begin a compound command, so that a word before them is a coprocess's name. */
const COMPOUND = new Set(["{", "if", "while", "until", "for", "select", "case", "[["])

const isReserved = (word: Word, words: ReadonlySet<string>): boolean => words.has(word.text) && isBare(word, word.text)

/** Ends the word that is being read; answers `condition` where `[[` was it. */
export function endWord(frame: CommandFrame, listener: Listener): "condition" | undefined {
  if (!frame.word.started) return undefined
  const { word } = frame.word
  frame.word = new WordBuilder()
  const { redirect } = frame
  if (redirect === undefined) return accept(frame, word, listener)
  frame.redirect = undefined
  if (redirect === "output") frame.command.outputs.push(word)
  else if (redirect !== "input") {
    const verbatim = word.plainUnits < word.text.length || word.text === ""
    const { stripsTabs } = redirect
    frame.hereDocuments.push({ delimiter: word.text, verbatim, stripsTabs, command: frame.command })
  }
  return undefined
}

/** Ends the simple command that is being read; `joined` by `|` to the next one. */
export function endCommand(frame: CommandFrame, listener: Listener, joined = false): void {
  endWord(frame, listener)
  frame.redirect = undefined
  const { command } = frame
  if (command.words.length > 0 || command.outputs.length > 0) listener.command(command)
  dropCommand(frame, joined ? command.pipeline : listener.pipeline())
}

/** Forgets the words so far: they were a function's name or a coprocess's. */
export function dropCommand(frame: CommandFrame, pipeline: number): void {
  frame.command = emptyCommand(pipeline, frame.within)
  frame.assigned = false
  frame.coproc = false
}

function accept(frame: CommandFrame, word: Word, listener: Listener): "condition" | undefined {
  switch (frame.at) {
    case "argument":
      return acceptArgument(frame, word, listener)
    case "command":
      return acceptFirst(frame, word, listener)
    case "after_time":
      if (isBare(word, "-p") || isBare(word, "--")) return undefined
      frame.at = "command"
      return acceptFirst(frame, word, listener)
    case "function_name":
      frame.at = "command"
      return undefined
    case "for_name":
      frame.at = "for_in"
      return undefined
    case "for_in":
      if (isBare(word, "in")) frame.at = "for_words"
      else if (isBare(word, "do") || isBare(word, "{")) frame.at = "command"
      return undefined
    case "case_word":
      frame.at = "case_in"
      return undefined
    case "case_in":
      if (isBare(word, "in")) frame.at = "pattern"
      return undefined
    case "pattern":
      if (isBare(word, "esac")) endCase(frame)
      return undefined
    case "for_words":
      return undefined
    default:
      return frame.at satisfies never
  }
}

function acceptArgument(frame: CommandFrame, word: Word, listener: Listener): "condition" | undefined {
  const { command } = frame
  if (frame.coproc && command.words.length === 1 && isReserved(word, COMPOUND)) {
    dropCommand(frame, command.pipeline)
    frame.at = "command"
    return acceptFirst(frame, word, listener)
  }
  if (command.words.length < MAX_WORDS) command.words.push(word)
  return undefined
}

function acceptFirst(frame: CommandFrame, word: Word, listener: Listener): "condition" | undefined {
  if (!frame.assigned) {
    if (isReserved(word, PASSED)) return undefined
    const meaning = RESERVED.get(word.text)
    if (meaning !== undefined && isBare(word, word.text)) return meaning(frame, word, listener)
  }
  if (isAssignment(word)) {
    frame.assigned = true
    return undefined
  }
  frame.command.words.push(word)
  frame.at = "argument"
  return undefined
}

type Meaning = (frame: CommandFrame, word: Word, listener: Listener) => "condition" | undefined

const RESERVED: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["case", goTo("case_word", (frame) => (frame.cases += 1))],
  ["for", goTo("for_name")],
  ["select", goTo("for_name")],
  ["function", goTo("function_name")],
  ["coproc", goTo("command", (frame) => (frame.coproc = true))],
  ["time", tellTime],
  ["esac", endCase],
  ["[[", () => "condition"],
])

/** `time` is a word of the language, and counts as the program it stands for. */
function tellTime(frame: CommandFrame, word: Word, listener: Listener): undefined {
  const { pipeline, within } = frame.command
  listener.command({ words: [word], outputs: [], pipeline, within })
  frame.at = "after_time"
}

function goTo(at: CommandFrame["at"], also: (frame: CommandFrame) => unknown = () => undefined): Meaning {
  return (frame) => {
    frame.at = at
    also(frame)
    return undefined
  }
}

function endCase(frame: CommandFrame): undefined {
  frame.cases = Math.max(0, frame.cases - 1)
  frame.at = "command"
}
