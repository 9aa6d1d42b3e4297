/** A parsed piece of a pattern: how long what it matches can be, and where parsing goes on. */
interface Parsed {
  readonly length: number
  readonly next: number
}

/** Whether serialised JSON may need an escape for a character that the pattern allows. */
function mayNeedEscapes(pattern: string): boolean {
  return /\[\^|\\[\\DWSsBcux0]|(?<!\\)\.|"/.test(pattern.replace(/\[(?!\^)[^\]\\]*\]/g, "x"))
}

function atom(pattern: string, at: number): Parsed {
  const char = pattern.charAt(at)
  if (char === "(") {
    const opening = /^\((?:\?:|\?=|\?!|\?<[=!]|\?<\w+>)?/.exec(pattern.slice(at))?.[0] ?? "("
    const inner = alternatives(pattern, at + opening.length)
    return { length: /^\(\?<?[=!]/.test(opening) ? 0 : inner.length, next: inner.next + 1 }
  }
  if (char === "[") {
    const set = /^\[\^?\]?(?:\\.|[^\]\\])*\]/.exec(pattern.slice(at))?.[0] ?? char
    return { length: 1, next: at + set.length }
  }
  if (char === "^" || char === "$") return { length: 0, next: at + 1 }
  return { length: 1, next: at + (char === "\\" ? 2 : 1) }
}

function quantified(pattern: string, at: number): Parsed {
  const one = atom(pattern, at)
  const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(one.next))
  if (quantifier === null) return one
  const [text, least, comma, most] = quantifier
  const unbounded = text.startsWith("*") || text.startsWith("+") || (comma === "," && most === "")
  const times = unbounded ? Number.POSITIVE_INFINITY : text.startsWith("?") ? 1 : Number(most || least)
  return { length: one.length === 0 ? 0 : one.length * times, next: one.next + text.length }
}

function alternatives(pattern: string, from: number): Parsed {
  let longest = 0
  let length = 0
  let at = from
  while (at < pattern.length && pattern.charAt(at) !== ")") {
    if (pattern.charAt(at) === "|") {
      longest = Math.max(longest, length)
      length = 0
      at++
      continue
    }
    const piece = quantified(pattern, at)
    length += piece.length
    at = piece.next
  }
  return { length: Math.max(longest, length), next: at }
}

/**
 * The most characters that a text of this pattern can have; infinite if the pattern is not anchored at both ends or
 * repeats something without end. `plain` says that none of them needs an escape in JSON.
 */
export function patternLength(pattern: string): { readonly chars: number; readonly plain: boolean } {
  const anchored = pattern.startsWith("^") && pattern.endsWith("$")
  return {
    chars: anchored ? alternatives(pattern, 0).length : Number.POSITIVE_INFINITY,
    plain: !mayNeedEscapes(pattern),
  }
}
