import { droppedMarker } from "./apply-budget.ts"
import { HeadTailText } from "./head-tail-text.ts"
import type { PageSource } from "./line-reader.ts"
import { TextView } from "./text-view.ts"

/** What is shown of one stream when no budget was passed. */
export interface SharedView {
  readonly text: string
  /** `text` is not the whole stream. */
  readonly truncated: boolean
  readonly binary: boolean
}

/** Characters (code points) that stdout and stderr share, and how many of them stderr is assured (shells.md §4.4). */
export const SHARED_CHARS = 32_000
const ASSURED_STDERR_SHARE = 0.25
const HEAD_SHARE = 0.4
/** A line border this near to a cut is preferred. */
const NEAR_BORDER = 512

interface WholeStream {
  readonly text: HeadTailText
  readonly binary: boolean
}

async function readWhole(source: PageSource, chars: number): Promise<WholeStream> {
  const text = new HeadTailText(chars, chars)
  let view = new TextView("clean")
  let binary = false
  let end: number | undefined
  let isLineOpen = false
  const add = (piece: string): void => {
    text.push(piece)
    if (piece !== "") isLineOpen = !piece.endsWith("\n")
  }
  for await (const page of source()) {
    if (end !== undefined && end !== page.from) {
      add(view.end())
      binary ||= view.binary
      view = new TextView("clean")
      add(`${isLineOpen ? "\n" : ""}${droppedMarker({ from: end, to: page.from })}`)
    }
    add(view.push(page.bytes))
    end = page.from + page.bytes.length
  }
  add(view.end())
  return { text, binary: binary || view.binary }
}

/** A beginning, shortened to its last line border if one is near. */
function toBorder(head: string): string {
  const border = head.lastIndexOf("\n") + 1
  return border > 0 && head.length - border <= NEAR_BORDER ? head.slice(0, border) : head
}

/** An end, shortened to begin with a line if a border is near. */
function fromBorder(tail: string): string {
  const border = tail.indexOf("\n") + 1
  return border > 0 && border <= NEAR_BORDER ? tail.slice(border) : tail
}

function show({ text, binary }: WholeStream, chars: number): SharedView {
  if (text.chars <= chars) return { text: text.whole(), truncated: false, binary }
  const headChars = Math.floor(chars * HEAD_SHARE)
  const ends = text.ends(headChars, chars - headChars)
  const head = toBorder(ends.head)
  const tail = fromBorder(ends.tail)
  const elided = text.chars - [...head].length - [...tail].length
  const border = head === "" || head.endsWith("\n") ? "" : "\n"
  return { text: `${head}${border}... ${elided} chars elided ...\n${tail}`, truncated: true, binary }
}

/**
 * The views of both streams without a budget: together ≤ `chars` characters, a quarter assured to stderr, what one
 * does not use goes to the other; each keeps 40 % head and 60 % tail at line borders (shells.md §4.4).
 */
export async function sharedViews(
  sources: { readonly stdout: PageSource; readonly stderr: PageSource },
  chars: number = SHARED_CHARS,
): Promise<{ readonly stdout: SharedView; readonly stderr: SharedView }> {
  const stdout = await readWhole(sources.stdout, chars)
  const stderr = await readWhole(sources.stderr, chars)
  const assured = Math.floor(chars * ASSURED_STDERR_SHARE)
  const forStderr = Math.max(assured, chars - stdout.text.chars)
  const forStdout = chars - Math.min(stderr.text.chars, forStderr)
  return { stdout: show(stdout, forStdout), stderr: show(stderr, forStderr) }
}
