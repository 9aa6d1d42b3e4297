import { GlobSyntaxError } from "./component.ts"

/** Patterns that braces may come to, and their characters in all. */
const MOST_ALTERNATIVES = 256
const MOST_CHARS = 16_384

interface Group {
  readonly open: number
  readonly close: number
  /** Positions of the commas of this very group. */
  readonly commas: readonly number[]
}

/** Position after the class that begins at `index`; `index` + 1 where none does. */
function afterClass(pattern: string, index: number): number {
  let at = index + 1
  if (/[!^]/.test(pattern[at] ?? "")) at += 1
  if (pattern[at] === "]") at += 1
  while (at < pattern.length && pattern[at] !== "]") at += pattern[at] === "\\" ? 2 : 1
  return at < pattern.length ? at + 1 : index + 1
}

/** The first outermost brace group with a comma, from `from` on; braces without comma stand for themselves. */
function firstGroup(pattern: string, from: number): Group | undefined {
  let depth = 0
  let open = 0
  let commas: number[] = []
  for (let at = from; at < pattern.length; ) {
    const char = pattern[at]
    if (char === "\\") at += 1
    else if (char === "[") {
      at = afterClass(pattern, at)
      continue
    } else if (char === "{") {
      depth += 1
      if (depth === 1) {
        open = at
        commas = []
      }
    } else if (char === "," && depth === 1) commas.push(at)
    else if (char === "}" && depth > 0) {
      depth -= 1
      if (depth === 0 && commas.length > 0) return { open, close: at, commas }
    }
    at += 1
  }
  if (depth > 0) throw new GlobSyntaxError("a `{` is never closed")
  return undefined
}

function alternativesOf(pattern: string, { open, close, commas }: Group): readonly string[] {
  const borders = [open, ...commas, close]
  const head = pattern.slice(0, open)
  const tail = pattern.slice(close + 1)
  return borders.slice(1).map((border, index) => `${head}${pattern.slice((borders[index] ?? 0) + 1, border)}${tail}`)
}

/**
 * Writes `{a,b}` out into patterns without such groups.
 * @throws GlobSyntaxError when a brace is never closed, or when there are more than 256 alternatives.
 */
export function expandBraces(pattern: string): readonly string[] {
  const done: string[] = []
  const left = [pattern]
  let chars = 0
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const group = firstGroup(next, 0)
    if (group !== undefined) left.push(...alternativesOf(next, group))
    else {
      done.push(next)
      chars += next.length
    }
    if (done.length + left.length > MOST_ALTERNATIVES || chars > MOST_CHARS) {
      throw new GlobSyntaxError("its braces come to too many patterns")
    }
  }
  return done
}
