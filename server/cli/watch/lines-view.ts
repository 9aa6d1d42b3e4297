import { paintFor } from "../sessions/paint.ts"
import { say, type Terminal } from "../terminal.ts"
import { Transcript } from "./transcript.ts"
import { type Followed, followingText, nothingText, type WatchView } from "./view.ts"
import type { WireEvent } from "./wire-event.ts"

/** What already runs has been told by then, ms. */
const SILENCE_MS = 500

/** Events as lines on standard output, for people or as JSON; what is said beside them goes to standard error. */
export function linesView(
  terminal: Terminal,
  { followed, asJson, signal }: { readonly followed: Followed; readonly asJson: boolean; readonly signal: AbortSignal },
): WatchView {
  const lines = asJson ? (event: WireEvent) => [JSON.stringify(event)] : paintedLines(terminal)
  const note = (sentence: string): void => void terminal.stderr.write(`${sentence}\n`)
  let silence: NodeJS.Timeout | undefined
  const quiet = (): void => clearTimeout(silence)
  return {
    note,
    opened() {
      // A program that reads both needs nothing told; a person would see nothing at all.
      if (terminal.stderr.isTTY !== true) return
      note(`${followingText(followed)} Ctrl-C ends.`)
      silence = setTimeout(() => note(nothingText(followed)), SILENCE_MS)
      signal.addEventListener("abort", quiet, { once: true })
    },
    async show(events) {
      for await (const event of events) {
        quiet()
        for (const line of lines(event)) say(terminal, line)
      }
    },
  }
}

function paintedLines(terminal: Terminal): (event: WireEvent) => readonly string[] {
  const paint = paintFor(terminal)
  const transcript = new Transcript()
  return (event) =>
    transcript.lines(event).map(({ id, text, look }) => `${paint("dim", `[${id}]`)} ${paint(look, text)}`)
}
