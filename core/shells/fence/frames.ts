import { type Word, WordBuilder } from "./word.ts"

/** One simple command: words, and what surrounds it. */
export interface SimpleCommand {
  /** From the command word on, without assignments and redirections; at most `MAX_WORDS`. */
  readonly words: Word[]
  /** Targets of redirections that write. */
  readonly outputs: Word[]
  /** Equal for the commands that one `|` after another joins. */
  readonly pipeline: number
  /** The command in whose words this one stands as a substitution; its words so far. */
  readonly within: SimpleCommand | undefined
}

/** Words of one command that are kept; what follows is not looked at. */
export const MAX_WORDS = 4_096

/** A here-document whose body begins after the line. */
export interface HereDocument {
  readonly delimiter: string
  /** Nothing in the body is expanded. */
  readonly verbatim: boolean
  /** `<<-`: tabs before a line do not count. */
  readonly stripsTabs: boolean
  readonly command: SimpleCommand
}

/** What the next word of a command list is. */
export type Position =
  | "command"
  | "argument"
  | "after_time"
  | "function_name"
  | "for_name"
  | "for_in"
  | "for_words"
  | "case_word"
  | "case_in"
  | "pattern"

/** A list of commands: the whole text, a group in parentheses, or a substitution. */
export interface CommandFrame {
  readonly kind: "commands"
  word: WordBuilder
  command: SimpleCommand
  at: Position
  /** `case` commands that are open here. */
  cases: number
  /** The command has assignments before it: no reserved word follows. */
  assigned: boolean
  coproc: boolean
  /** What the next word is the target of. */
  redirect: "input" | "output" | { readonly stripsTabs: boolean } | undefined
  /** Shared with a group in parentheses, a substitution has its own. */
  readonly hereDocuments: HereDocument[]
  readonly within: SimpleCommand | undefined
}

/** Words that are no command. */
export interface WordsFrame {
  readonly kind: "words"
  /** `name=( … )`, or `[[ … ]]`. */
  readonly of: "array" | "condition"
  word: WordBuilder
  readonly command: SimpleCommand
}

/** A part of a word that has its own end: quotes, `${…}`, arithmetic, an extended pattern; or the body of a here-document. */
export interface TextFrame {
  readonly kind: "double" | "parameter" | "arithmetic" | "pattern" | "body"
  readonly word: WordBuilder
  readonly command: SimpleCommand
  /** Single quotes mean nothing here. */
  readonly inDouble: boolean
  /** Parentheses opened inside. */
  depth: number
  /** Where it began. */
  readonly start: number
}

/** Where the scanner is; the innermost is the last of a stack. */
export type Frame = CommandFrame | WordsFrame | TextFrame

/** Frames that can be open at once; deeper text is not read. */
export const MAX_DEPTH = 512

/** A command nothing is known of yet. */
export function emptyCommand(pipeline: number, within: SimpleCommand | undefined): SimpleCommand {
  return { words: [], outputs: [], pipeline, within }
}

/** A list of commands at its beginning. */
export function commandFrame(command: SimpleCommand, hereDocuments: HereDocument[] = []): CommandFrame {
  return {
    kind: "commands",
    word: new WordBuilder(),
    command,
    at: "command",
    cases: 0,
    assigned: false,
    coproc: false,
    redirect: undefined,
    hereDocuments,
    within: command.within,
  }
}

/** A part of the word that is being read. */
export function textFrame(
  kind: TextFrame["kind"],
  of: Pick<TextFrame, "word" | "command" | "start"> & { readonly inDouble?: boolean },
): TextFrame {
  return { kind, word: of.word, command: of.command, start: of.start, inDouble: of.inDouble ?? false, depth: 0 }
}
