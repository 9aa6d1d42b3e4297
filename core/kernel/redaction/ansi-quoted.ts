const ANSI_NAMED: Readonly<Record<string, string>> = {
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
const ANSI_ESCAPE = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/s
const LONGEST_ESCAPE = 10

/** What stands in `$'…'` from `from` on, and where its end quote is; bytes above 127 count as that code point. */
export function ansiQuoted(
  command: string,
  from: number,
): { readonly value: string; readonly end: number } | undefined {
  let value = ""
  for (let at = from; at < command.length; at++) {
    const char = command.charAt(at)
    if (char === "'") return { value, end: at }
    const found = char === "\\" ? ANSI_ESCAPE.exec(command.slice(at, at + LONGEST_ESCAPE)) : null
    value += found === null ? char : ansiCharacter(found)
    at += (found?.[0].length ?? 1) - 1
  }
  return undefined
}

function ansiCharacter([, hex, short, long, octal, control, named = ""]: RegExpExecArray): string {
  const digits = hex ?? short ?? long
  if (digits !== undefined) return codePoint(Number.parseInt(digits, 16))
  if (octal !== undefined) return codePoint(Number.parseInt(octal, 8) & 0xff)
  if (control !== undefined) return codePoint(control.charCodeAt(0) & 0x1f)
  return ANSI_NAMED[named] ?? named
}

const codePoint = (code: number): string => (code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code))
