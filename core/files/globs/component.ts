/** One step of a pattern within a path component. */
type Token =
  | { readonly kind: "star" }
  | { readonly kind: "any" }
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }

/** A pattern that cannot be read; the message says why. */
export class GlobSyntaxError extends Error {}

/** Whether a path component matches. */
export type ComponentMatcher = (component: string) => boolean

const at = (text: readonly string[], index: number): string => text[index] ?? ""

interface Cursor {
  readonly points: readonly string[]
  index: number
}

function escaped(cursor: Cursor): string {
  const char = cursor.points[cursor.index + 1]
  if (char === undefined) throw new GlobSyntaxError("a backslash ends the pattern")
  cursor.index += 2
  return char
}

const member = (cursor: Cursor): string => {
  if (at(cursor.points, cursor.index) === "\\") return escaped(cursor)
  cursor.index += 1
  return at(cursor.points, cursor.index - 1)
}

/** Reads `[…]` with the cursor on the bracket. A `]` in the first place stands for itself. */
function classAt(cursor: Cursor): Token {
  const { points } = cursor
  cursor.index += 1
  const negated = /^[!^]$/.test(at(points, cursor.index))
  if (negated) cursor.index += 1
  const ranges: (readonly [string, string])[] = []
  for (let first = true; first || at(points, cursor.index) !== "]"; first = false) {
    if (cursor.index >= points.length) throw new GlobSyntaxError("a `[` is never closed")
    const from = member(cursor)
    const isRange = at(points, cursor.index) === "-" && !["", "]"].includes(at(points, cursor.index + 1))
    if (isRange) cursor.index += 1
    const to = isRange ? member(cursor) : from
    if ((from.codePointAt(0) ?? 0) > (to.codePointAt(0) ?? 0)) throw new GlobSyntaxError("a range runs backwards")
    ranges.push([from, to])
  }
  cursor.index += 1
  return { kind: "class", negated, ranges }
}

function tokenAt(cursor: Cursor): Token {
  const char = at(cursor.points, cursor.index)
  if (char === "[") return classAt(cursor)
  if (char === "\\") return { kind: "char", char: escaped(cursor) }
  cursor.index += 1
  if (char === "*") return { kind: "star" }
  return char === "?" ? { kind: "any" } : { kind: "char", char }
}

function tokensOf(pattern: string): readonly Token[] {
  const cursor: Cursor = { points: [...pattern], index: 0 }
  const tokens: Token[] = []
  while (cursor.index < cursor.points.length) {
    const token = tokenAt(cursor)
    if (token.kind !== "star" || tokens.at(-1)?.kind !== "star") tokens.push(token)
  }
  return tokens
}

function matchesOne(token: Token, char: string): boolean {
  if (token.kind === "char") return token.char === char
  if (token.kind !== "class") return token.kind === "any"
  const point = char.codePointAt(0) ?? 0
  const inside = token.ranges.some(
    ([from, to]) => point >= (from.codePointAt(0) ?? 0) && point <= (to.codePointAt(0) ?? 0),
  )
  return inside !== token.negated
}

/**
 * Whether a sequence of steps fits a sequence of items, of which a star takes any number. Only the last star is ever
 * reconsidered, which is enough and bounds the work by the product of both lengths.
 */
export function fitsSequence<S, I>(
  steps: readonly S[],
  items: ArrayLike<I>,
  by: { isStar(step: S): boolean; fits(step: S, item: I): boolean },
): boolean {
  let step = 0
  let item = 0
  let star = -1
  let starItem = 0
  while (item < items.length) {
    const current = steps[step]
    const next = items[item]
    if (current !== undefined && by.isStar(current)) {
      star = step
      starItem = item
      step += 1
    } else if (current !== undefined && next !== undefined && by.fits(current, next)) {
      step += 1
      item += 1
    } else if (star >= 0) {
      step = star + 1
      starItem += 1
      item = starItem
    } else return false
  }
  return steps.slice(step).every((left) => by.isStar(left))
}

const SURROGATE = /[\uD800-\uDFFF]/
const isStar = (token: Token): boolean => token.kind === "star"
const literalOf = (tokens: readonly Token[]): string | undefined =>
  tokens.every((token) => token.kind === "char")
    ? tokens.map((token) => ("char" in token ? token.char : "")).join("")
    : undefined

/**
 * Compiles the pattern of one component: `*`, `?`, `[…]`, and `\` before a character that stands for itself. Matching
 * takes time in proportion to the product of both lengths at most.
 * @throws GlobSyntaxError
 */
export function compileComponent(pattern: string): ComponentMatcher {
  const tokens = tokensOf(pattern)
  const whole = literalOf(tokens)
  if (whole !== undefined) return (component) => component === whole
  const tail = tokens[0]?.kind === "star" ? literalOf(tokens.slice(1)) : undefined
  if (tail !== undefined) return (component) => component.endsWith(tail)
  return (component) => {
    const items: ArrayLike<string> = SURROGATE.test(component) ? [...component] : component
    return fitsSequence(tokens, items, { isStar, fits: matchesOne })
  }
}

/** Cuts a pattern at the slashes between its components; a slash in a class or after a backslash is none of them. */
export function splitPattern(pattern: string): readonly string[] {
  const parts = [""]
  for (let index = 0; index < pattern.length; index += 1) {
    const char = pattern[index] ?? ""
    const last = parts.length - 1
    if (char === "/") parts.push("")
    else if (char === "\\" && index + 1 < pattern.length) {
      index += 1
      if (pattern[index] === "/") parts.push("")
      else parts[last] = `${parts[last]}\\${pattern[index]}`
    } else parts[last] = `${parts[last]}${char}`
  }
  return parts
}
