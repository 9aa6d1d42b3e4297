import { ansiQuoted } from "./ansi-quoted.ts"
import type { Literal } from "./literal-forms.ts"

/** Most literals learned from one command (shells.md §4.3). */
const MAX_LEARNED = 64
const MIN_CHARS = 6
const SECRET_NAME = /TOKEN|SECRET|PASSW|API_KEY|APIKEY|PRIVATE_KEY|CREDENTIAL|AUTHORIZ/i
/** `NAME=` where a word may begin: after nothing, a blank, a line end, an operator or an opening bracket. */
const ASSIGNMENT = /(?<![^\s;&|(){}`"'])([A-Za-z_][A-Za-z0-9_]{0,127})=/g
const WORD_ENDS = /[\s;&|()<>`]/

/** The value of a shell word from `from` on, quotes and escapes resolved; `undefined` if it is not literal. */
function literalWord(command: string, from: number): string | undefined {
  let value = ""
  let quote = ""
  for (let at = from; at < command.length; at++) {
    const char = command.charAt(at)
    if (quote === "" && char === "$" && command.charAt(at + 1) === "'") {
      const word = ansiQuoted(command, at + 2)
      if (word === undefined) return undefined
      value += word.value
      at = word.end
    } else if (quote === "'" && char !== "'") value += char
    else if (char === "$" || char === "`") return undefined
    else if (char === quote) quote = ""
    else if (quote === "" && (char === "'" || char === '"')) quote = char
    else if (char === "\\") value += command.charAt(++at)
    else if (quote === "" && WORD_ENDS.test(char)) return value
    else value += char
  }
  return quote === "" ? value : undefined
}

/** Variables of a call whose name tells that their value is a secret, under the same bounds as learned literals. */
export function secretVariables(env: readonly Literal[]): Literal[] {
  return env
    .filter(({ name, value }) => SECRET_NAME.test(name) && value.length >= MIN_CHARS)
    .map(({ name, value }) => ({ name, value }))
}

/**
 * The secrets that a command itself spells out: words `NAME=value` (also after `export`) whose name tells and whose
 * value is literal and has ≥ 6 characters; ≤ 64, each value once (shells.md §4.3).
 */
export function learnedLiterals(command: string): Literal[] {
  if (!command.includes("=")) return []
  const learned = new Map<string, Literal>()
  for (const match of command.matchAll(ASSIGNMENT)) {
    const [whole, name] = match
    if (name === undefined || !SECRET_NAME.test(name)) continue
    const value = literalWord(command, match.index + whole.length)
    if (value === undefined || value.length < MIN_CHARS || learned.has(value)) continue
    learned.set(value, { name, value })
    if (learned.size === MAX_LEARNED) break
  }
  return [...learned.values()]
}
