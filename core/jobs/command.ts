import { learnedLiterals, secretVariables } from "../kernel/redaction/learned.ts"
import type { Literal } from "../kernel/redaction/redactor.ts"

/** The languages of `run_script` (spec exec-and-jobs.md §2). */
export const SCRIPT_LANGUAGES = ["sh", "bash", "python", "javascript", "typescript", "powershell"] as const
/** One of `SCRIPT_LANGUAGES`. */
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number]

/** What an execution runs: shell text, one program with literal arguments, or a script for an interpreter. */
export type StartCommand =
  | { readonly kind: "shell"; readonly shell?: "sh" | "bash"; readonly text: string }
  | { readonly kind: "process"; readonly executable: string; readonly args: readonly string[] }
  | {
      readonly kind: "script"
      readonly language: ScriptLanguage
      readonly text: string
      readonly args: readonly string[]
    }

const ASSIGNED = /^([A-Za-z_][A-Za-z0-9_]{0,127})=(.*)$/s

/** What is shown of a command, before it is masked and shortened (spec exec-and-jobs.md §3). */
export function commandText(command: StartCommand): string {
  return command.kind === "process" ? [command.executable, ...command.args].join(" ") : command.text
}

/** The secrets that a command itself spells out (spec shells.md §4.3); an argument `NAME=value` counts as such a word. */
export function commandLiterals(command: StartCommand): Literal[] {
  if (command.kind === "shell") return learnedLiterals(command.text)
  const text = command.kind === "script" ? learnedLiterals(command.text) : []
  return [...text, ...secretVariables(command.args.flatMap(assignment))]
}

function assignment(word: string): Literal[] {
  const [, name, value] = ASSIGNED.exec(word) ?? []
  return name === undefined || value === undefined ? [] : [{ name, value }]
}
