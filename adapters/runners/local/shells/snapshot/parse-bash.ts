import { asText, statementsOf, unquoted } from "./quoting.ts"
import type { ByteText, SnapshotFunction, SnapshotVariable } from "./types.ts"

const DECLARE = /^declare -([A-Za-z-]+) ([A-Za-z_][A-Za-z0-9_]*)(=[\s\S]*)?$/

/** What `declare -p` printed. */
export function parseDeclarations(text: ByteText): readonly SnapshotVariable[] {
  return statementsOf(text).flatMap((statement) => {
    const [, letters = "", name, value = ""] = DECLARE.exec(statement) ?? []
    if (name === undefined) return []
    return [{ name, attributes: letters.replaceAll("-", ""), assignment: `${name}${value}` }]
  })
}

/**
 * What `declare -f` printed, cut at the names that `declare -F` printed in the same order: the text of a function can
 * hold lines that look like the start of another.
 */
export function parseFunctions(definitions: ByteText, marks: ByteText): readonly SnapshotFunction[] {
  const named = [...marks.matchAll(/^declare -([A-Za-z]+) (.+)$/gm)]
  const text = `\n${definitions}`
  let from = 0
  const starts = named.map(([, letters = "", name = ""]) => {
    const start = startOf(text, name, from)
    if (start !== undefined) from = start + 1
    return { name, attributes: letters.replace("f", ""), start }
  })
  return starts.map(({ name, attributes, start }, index) => {
    const next = starts.slice(index + 1).find((one) => one.start !== undefined)?.start ?? text.length
    return { name, attributes, text: start === undefined ? "" : text.slice(start + 1, next) }
  })
}

/** The body before it ends with a brace in the first column; a line in a here-document hardly looks so. */
function startOf(text: ByteText, name: ByteText, from: number): number | undefined {
  for (let at = text.indexOf(`${name} () \n`, from); at !== -1; at = text.indexOf(`${name} () \n`, at + 1)) {
    const start = text.startsWith("\nfunction ", at - WORD.length) ? at - WORD.length : at - 1
    const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start)
    if (text[start] === "\n" && (start === 0 || before.startsWith("}"))) return start
  }
  return undefined
}

const WORD = "\nfunction "

/** Arguments of `alias`, from what `alias -p` (bash) or `alias` (sh) printed. */
export const parseAliases = (text: ByteText): readonly ByteText[] =>
  statementsOf(text)
    .map((statement) => statement.replace(/^alias (?:-- )?/, ""))
    .filter((one) => one.includes("="))

/** Action by signal, named without `SIG`, from what `trap -p` or `trap` printed; a posix list of untrapped ones is none. */
export function parseTraps(text: ByteText): ReadonlyMap<string, ByteText> {
  const traps = new Map<string, ByteText>()
  for (const statement of statementsOf(text)) {
    const [, action, signal] = /^trap -- ([\s\S]*) (\S+)$/.exec(statement) ?? []
    if (action !== undefined && signal !== undefined && action !== "-")
      traps.set(signal.replace(/^SIG/, ""), unquoted(action))
  }
  return traps
}

/** `set -o` and `shopt` options and the umask, from lines that would set them. */
export function parseOptions(text: ByteText): {
  readonly options: Readonly<Record<string, boolean>>
  readonly shopts: Readonly<Record<string, boolean>>
  readonly umask: string
} {
  const options: Record<string, boolean> = {}
  const shopts: Record<string, boolean> = {}
  for (const [, sign, name = ""] of text.matchAll(/^set ([-+])o (\w[\w-]*)$/gm)) options[name] = sign === "-"
  for (const [, sign, name = ""] of text.matchAll(/^shopt -([su]) (\w+)$/gm)) shopts[name] = sign === "s"
  return { options, shopts, umask: /^(?:umask )?([0-7]{3,4})$/m.exec(text)?.[1] ?? "" }
}

/** A pipe's size cannot be set, the others are told by their letter. */
const UNSETTABLE_LIMITS = new Set(["p"])

/** Soft limits by letter, from `ulimit -S -a`. */
export function parseLimits(text: ByteText): Readonly<Record<string, string>> {
  const limits: Record<string, string> = {}
  for (const [, letter = "", value = ""] of text.matchAll(/-([A-Za-z])\) +(\S+)$/gm)) {
    if (!UNSETTABLE_LIMITS.has(letter)) limits[letter] = value
  }
  return limits
}

/** The words of `lost` for one thing; a name that is no UTF-8 is shown as far as it is. */
export const lostName = (kind: "variable" | "function" | "alias" | "limit" | "trap", name: ByteText): string =>
  `${kind} ${asText(name)}`
