import { ALNUM, BLANK, lowerCase } from "./byte-class.ts"
import { ASSIGNMENT_NAMES } from "./mask.ts"
import type { Window } from "./window.ts"

const BACKSLASH = 0x5c
const UNDERSCORE = 0x5f
const DASH = 0x2d
/** Most blanks between a name and its sign. */
const MAX_BLANKS = 16
/** Most backslashes before a quote: JSON inside JSON inside JSON. */
const MAX_ESCAPES = 7

/** Last letters of all `ASSIGNMENT_NAMES`: most signs are dismissed by this one look. */
const LAST_LETTERS = new Set(ASSIGNMENT_NAMES.map((name) => name.charCodeAt(name.length - 1)))

/** Whether a byte is `"`, `'` or a back quote. */
export function isQuote(byte: number): boolean {
  return byte === 0x22 || byte === 0x27 || byte === 0x60
}

function at(window: Window, position: number, floor: number): number {
  return position < floor ? -1 : (window.bytes[position - window.base] ?? -1)
}

/** Position after the word that ends before `position`, blanks and a closing quote skipped; nothing before `floor` is read. */
function endOfWord(window: Window, position: number, floor: number): number {
  let end = position
  const leastBlank = Math.max(floor, position - MAX_BLANKS)
  while (end > leastBlank && BLANK[at(window, end - 1, floor)] === 1) end--
  if (!isQuote(at(window, end - 1, floor))) return end
  end--
  const leastEscape = Math.max(floor, end - MAX_ESCAPES)
  while (end > leastEscape && at(window, end - 1, floor) === BACKSLASH) end--
  return end
}

/** Whether `word` (lower case, `_` for `_` or `-`) ends before `end` as whole parts of a name. */
function endsWithWord(window: Window, word: string, range: { end: number; floor: number }): boolean {
  const from = range.end - word.length
  if (from < range.floor) return false
  for (let index = word.length - 1; index >= 0; index--) {
    const byte = lowerCase(at(window, from + index, range.floor))
    const wanted = word.charCodeAt(index)
    if (byte !== wanted && !(wanted === UNDERSCORE && byte === DASH)) return false
  }
  return ALNUM[at(window, from - 1, range.floor)] !== 1
}

/** The longest entry of `ASSIGNMENT_NAMES` that the name before a sign at `sign` ends in. */
export function assignedName(window: Window, sign: number, floor: number): string | undefined {
  const end = endOfWord(window, sign, floor)
  if (!LAST_LETTERS.has(lowerCase(at(window, end - 1, floor)))) return undefined
  return ASSIGNMENT_NAMES.find((name) => endsWithWord(window, name, { end, floor }))
}

/** Whether `Authorization:` or `authorization=`, quoted or not, stands before the scheme at `scheme`. */
export function followsAuthorization(window: Window, scheme: number, floor: number): boolean {
  const sign = endOfWord(window, scheme, floor) - 1
  const byte = at(window, sign, floor)
  if (byte !== 0x3a && byte !== 0x3d) return false
  return endsWithWord(window, "authorization", { end: endOfWord(window, sign, floor), floor })
}
