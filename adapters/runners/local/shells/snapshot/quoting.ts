import type { ByteText } from "./types.ts"

/** UTF-8 text as one character a byte, the form in which shell texts are compared and joined here. */
export const asBytes = (text: string): ByteText => Buffer.from(text, "utf8").toString("latin1")

/** The text that bytes spell, for people to read. */
export const asText = (bytes: ByteText): string => Buffer.from(bytes, "latin1").toString("utf8")

/** Where a quoted part that opens at `start` ends (behind its closing quote), or the end of the text. */
function endOfQuote(text: ByteText, start: number): number {
  const isAnsi = text.startsWith("$'", start)
  const quote = text[isAnsi ? start + 1 : start]
  const escapes = isAnsi || quote === '"'
  for (let at = start + (isAnsi ? 2 : 1); at < text.length; at += 1) {
    if (escapes && text[at] === "\\") at += 1
    else if (text[at] === quote) return at + 1
  }
  return text.length
}

const opensQuote = (text: ByteText, at: number): boolean =>
  text[at] === "'" || text[at] === '"' || text.startsWith("$'", at)

/** Cuts what `declare -p`, `alias -p`, `export -p` and `trap -p` print into statements, at newlines outside quotes. */
export function statementsOf(text: ByteText): readonly ByteText[] {
  const statements: ByteText[] = []
  let start = 0
  let at = 0
  while (at < text.length) {
    if (opensQuote(text, at)) at = endOfQuote(text, at)
    else if (text[at] === "\n") {
      statements.push(text.slice(start, at))
      at += 1
      start = at
    } else at += text[at] === "\\" ? 2 : 1
  }
  if (start < text.length) statements.push(text.slice(start))
  return statements
}

const ANSI: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
}
const ANSI_ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([\s\S])|([\s\S]))/g

function decodeAnsi(inner: ByteText): ByteText {
  return inner.replace(ANSI_ESCAPE, (_all, octal, hex, short, long, control, other) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    const code = short ?? long
    if (code !== undefined) return asBytes(codePoint(Number.parseInt(code, 16)))
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f)
    return ANSI[other] ?? other
  })
}

const codePoint = (code: number): string => (code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code))

function decodePart(part: ByteText): ByteText {
  if (part.startsWith("$'")) return decodeAnsi(part.slice(2, -1))
  if (part.startsWith('"'))
    return part.slice(1, -1).replace(/\\([$`"\\\n])/g, (_all, kept) => (kept === "\n" ? "" : kept))
  return part.slice(1, -1)
}

/** What quoted text means: quotes taken off and escapes resolved, of every part; nothing is expanded. */
export function unquoted(text: ByteText): ByteText {
  let plain = ""
  let at = 0
  while (at < text.length) {
    if (opensQuote(text, at)) {
      const end = endOfQuote(text, at)
      plain += decodePart(text.slice(at, end))
      at = end
    } else if (text[at] === "\\") {
      plain += text[at + 1] ?? ""
      at += 2
    } else {
      plain += text[at]
      at += 1
    }
  }
  return plain
}
