import { setTimeout as sleep } from "node:timers/promises"
import { paintFor } from "../sessions/paint.ts"
import type { Terminal } from "../terminal.ts"
import { Board } from "./board.ts"
import { layOut } from "./layout.ts"
import type { WireEvent } from "./wire-event.ts"

const ENTER = "\u001b[?1049h\u001b[?25l"
const LEAVE = "\u001b[?25h\u001b[?1049l"
const HOME = "\u001b[H"
const TO_LINE_END = "\u001b[K"
const FRAME_MS = 60
const UP = new Set(["\u001b[A", "k"])
const DOWN = new Set(["\u001b[B", "j"])
const QUIT = new Set(["q", "\u0003"])

/** The view of a terminal until `q`, Ctrl-C, or the end of the events; the terminal is left as it was found. */
export async function showOnScreen(
  terminal: Terminal,
  events: AsyncIterable<WireEvent>,
  stop: AbortController,
): Promise<void> {
  const { stdout, stdin } = terminal
  const board = new Board()
  const screen = { isStale: true }
  const onKey = (chunk: unknown): void => {
    const key = String(chunk)
    if (QUIT.has(key)) stop.abort()
    if (UP.has(key)) board.move(-1)
    if (DOWN.has(key)) board.move(1)
    screen.isStale = true
  }
  stdin.setRawMode?.(true)
  stdin.on("data", onKey)
  stdout.write(ENTER)
  try {
    const drawing = draw(terminal, { board, screen, signal: stop.signal })
    for await (const event of events) {
      board.take(event)
      screen.isStale = true
    }
    stop.abort()
    await drawing
  } finally {
    stop.abort()
    stdin.off("data", onKey)
    stdin.setRawMode?.(false)
    stdin.pause()
    stdout.write(LEAVE)
  }
}

/** At most so many frames a second, and none where nothing changed. */
async function draw(
  terminal: Terminal,
  of: { readonly board: Board; readonly screen: { isStale: boolean }; readonly signal: AbortSignal },
): Promise<void> {
  const { stdout } = terminal
  const paint = paintFor(terminal)
  let size = ""
  while (!of.signal.aborted) {
    const { columns = 80, rows = 24 } = stdout
    if (of.screen.isStale || size !== `${columns}x${rows}`) {
      size = `${columns}x${rows}`
      of.screen.isStale = false
      stdout.write(HOME + layOut(of.board, { columns, rows, paint }).join(`${TO_LINE_END}\r\n`) + TO_LINE_END)
    }
    await sleep(FRAME_MS, undefined, { signal: of.signal }).catch(() => undefined)
  }
}
