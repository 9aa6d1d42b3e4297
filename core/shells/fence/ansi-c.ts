const NAMED: Readonly<Record<string, string>> = {
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
const ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g

/** The text that bash reads from what stands between the quotes of `$'…'`. */
export function decodeAnsiC(source: string): string {
  return source.replace(ESCAPE, (_all, hex, short, long, octal, control, other) => {
    const digits: string | undefined = hex ?? short ?? long
    if (digits !== undefined) return fromCode(Number.parseInt(digits, 16))
    if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff)
    if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f)
    return NAMED[other] ?? other
  })
}

const fromCode = (code: number): string => (code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code))
