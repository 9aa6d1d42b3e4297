import { isAssignment, type Word } from "./word.ts"
import { WRAPPERS, type WrapperOptions } from "./wrappers.ts"

/** What one simple command runs (spec shells.md §8). */
export interface Invocation {
  /**
   * Base names of the programs, the ones that only run another one first; `undefined` for a command word that is not
   * literal, so that nobody can say what it runs.
   */
  readonly programs: readonly (string | undefined)[]
  /** Of the last program. */
  readonly args: readonly Word[]
}

/** Reads what a command's words run, through `env`, `sudo` and the like with their options. */
export function invocationOf(words: readonly Word[]): Invocation {
  const programs: (string | undefined)[] = []
  let rest = words
  while (true) {
    const [first, ...args] = rest
    if (first === undefined) return { programs, args: [] }
    const program = first.literal ? baseName(first.text) : undefined
    programs.push(program)
    const options = program === undefined || programs.length > MAX_WRAPPERS ? undefined : WRAPPERS.get(program)
    const inner = options === undefined ? [] : afterOptions(args, options)
    if (inner.length === 0) return { programs, args }
    rest = inner
  }
}

/** `a b c` of `sudo sudo sudo a b c`: further ones are taken for programs that run nothing. */
const MAX_WRAPPERS = 16

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** The words from the inner command on; none where there is none. */
function afterOptions(args: readonly Word[], options: WrapperOptions): readonly Word[] {
  let at = 0
  while (at < args.length) {
    const word = args[at]
    if (word === undefined) break
    if (word.text === "--" && word.literal) return afterAssignments(args.slice(at + 1), options)
    if (options.assignments && isAssignment(word)) at += 1
    else if (!word.text.startsWith("-")) break
    else if (options.runsNothing.includes(word.text)) return []
    else {
      const split = splitString(word, args[at + 1])
      if (options.valued.includes("S") && split !== undefined) return [...split.words, ...args.slice(at + split.taken)]
      at += takesNext(word.text, options) ? 2 : 1
    }
  }
  return args.slice(at)
}

/** Behind `--` too assignments come first. */
function afterAssignments(args: readonly Word[], { assignments }: WrapperOptions): readonly Word[] {
  const first = assignments ? args.findIndex((word) => !isAssignment(word)) : 0
  return first === -1 ? [] : args.slice(first)
}

function takesNext(text: string, { valued, attached, longValued }: WrapperOptions): boolean {
  if (text.startsWith("--")) return longValued.includes(text)
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at)
    if (attached.includes(letter)) return false
    if (valued.includes(letter)) return at === text.length - 1
  }
  return false
}

/** The words that `env -S 'a b'` makes of one. */
function splitString(
  option: Word,
  next: Word | undefined,
): { readonly words: readonly Word[]; readonly taken: number } | undefined {
  const joined = /^(?:-[iv0]*S|--split-string=)(?<value>[\s\S]+)$/.exec(option.text)?.groups?.["value"]
  const isAlone = /^(?:-[iv0]*S|--split-string)$/.test(option.text)
  const source = joined === undefined ? next : { ...option, text: joined }
  if (source === undefined || (joined === undefined && !isAlone)) return undefined
  const parts = source.text.split(/\s+/).filter((part) => part !== "")
  const words = parts.map((text) => ({ text, literal: source.literal, plainUnits: text.length }))
  return { words, taken: joined === undefined ? 2 : 1 }
}
