const WIDTH = 3
const MARKS = 36 ** WIDTH

/**
 * A short mark of a name, three characters. The generator (`openapi/sdk-facts.ts`) writes sets of names as marks one after
 * another: a browser then loads about two bytes for a tool instead of its name. It refuses marks that mistake one known name
 * for another; a name it never saw is mistaken for a member about once in a thousand.
 */
function nameMark(name: string): string {
  let mark = 0
  for (const letter of name) mark = (mark * 31 + letter.charCodeAt(0)) % MARKS
  return mark.toString(36).padStart(WIDTH, "0")
}

/** Whether a set of marks holds a name. */
export function holdsName(set: string, name: string): boolean {
  return set.match(/.../g)?.includes(nameMark(name)) ?? false
}
