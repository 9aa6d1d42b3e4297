/** A place that would match but for one kind of difference; a hint, never applied (files-and-git.md §4.1). */
export interface NearMatch {
  readonly start_line: number
  readonly end_line: number
  readonly difference: NearDifference
}

/** What keeps a near place from matching. */
export type NearDifference =
  | "line_number_prefix"
  | "replacement_character"
  | "trailing_whitespace"
  | "whitespace"
  | "unicode"
  | "case"

const MAX_FILE_BYTES = 2 * 1024 * 1024
const MAX_NEEDLE_BYTES = 64 * 1024

/** Whether hints are looked for in a file of this size; they would take too long in a larger one. */
export const isNearSearched = (fileBytes: number, needleBytes: number): boolean =>
  fileBytes <= MAX_FILE_BYTES && needleBytes <= MAX_NEEDLE_BYTES

const MAX_NEAR = 3

interface Sides {
  readonly file: readonly string[]
  readonly needle: readonly string[]
}

const linesOf = (text: string): string[] => text.replaceAll("\r\n", "\n").split("\n")

/** Lines of a needle without the empty rest after a final newline. */
function needleLines(needle: string): string[] {
  const lines = linesOf(needle)
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

const NUMBERED = /^\d+\t/
const withoutTrailing = (line: string): string => line.replace(/[ \t]+$/, "")
const singleSpaced = (line: string): string => line.replace(/[ \t]+/g, " ").trim()
const plainSigns = (line: string): string =>
  line
    .normalize("NFKC")
    .replace(/[\u2018\u2019\u201A\u201B\u2032]/g, "'")
    .replace(/[\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
const lower = (line: string): string => line.toLowerCase()

const onBoth = (sides: Sides, change: (line: string) => string): Sides => ({
  file: sides.file.map(change),
  needle: sides.needle.map(change),
})

/** First line indices where the whole needle lies: on whole lines, or inside a line for a needle of one line. */
function hits({ file, needle }: Sides): number[] {
  const [only] = needle
  if (needle.length === 1 && only !== undefined) {
    return only === "" ? [] : file.flatMap((line, index) => (line.includes(only) ? [index] : []))
  }
  const text = `\n${file.join("\n")}\n`
  const wanted = `\n${needle.join("\n")}\n`
  const found: number[] = []
  let line = 0
  let counted = 0
  for (let at = text.indexOf(wanted); at >= 0 && found.length < MAX_NEAR; at = text.indexOf(wanted, at + 1)) {
    for (let feed = text.indexOf("\n", counted); feed < at; feed = text.indexOf("\n", counted)) {
      line += 1
      counted = feed + 1
    }
    found.push(line)
  }
  return found
}

/** The comparisons in order; each is made only when those before it left room. */
function* comparisons(sides: Sides, invalidBytes: number): Generator<readonly [NearDifference, Sides]> {
  const { file, needle } = sides
  if (needle.every((line) => NUMBERED.test(line))) {
    yield ["line_number_prefix", { file, needle: needle.map((line) => line.replace(NUMBERED, "")) }]
  }
  if (invalidBytes > 0 && needle.some((line) => line.includes("\uFFFD"))) yield ["replacement_character", sides]
  const trailing = onBoth(sides, withoutTrailing)
  yield ["trailing_whitespace", trailing]
  const spaced = onBoth(trailing, singleSpaced)
  yield ["whitespace", spaced]
  const signs = onBoth(spaced, plainSigns)
  yield ["unicode", signs]
  yield ["case", onBoth(signs, lower)]
}

/** Places that explain why a needle was not found, at most three, each with the first difference that explains it. */
export function findNear(
  file: { readonly text: string; readonly invalidBytes: number },
  needle: string,
): readonly NearMatch[] {
  const sides: Sides = { file: linesOf(file.text), needle: needleLines(needle) }
  const near: NearMatch[] = []
  for (const [difference, compared] of comparisons(sides, file.invalidBytes)) {
    for (const index of hits(compared)) {
      if (near.length === MAX_NEAR) return near
      if (near.some((known) => known.start_line === index + 1)) continue
      near.push({ start_line: index + 1, end_line: index + sides.needle.length, difference })
    }
  }
  return near
}
