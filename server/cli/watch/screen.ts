import { setTimeout as sleep } from "node:timers/promises"
import { paintFor } from "../sessions/paint.ts"
import type { Terminal } from "../terminal.ts"
import { Board } from "./board.ts"
import { layOut } from "./layout.ts"
import { type Followed, followingText, nothingText, type WatchView } from "./view.ts"

const ENTER = "\u001b[?1049h\u001b[?25l"
const LEAVE = "\u001b[?25h\u001b[?1049l"
const HOME = "\u001b[H"
const TO_LINE_END = "\u001b[K"
const FRAME_MS = 60
const UP = new Set(["\u001b[A", "k"])
const DOWN = new Set(["\u001b[B", "j"])
const QUIT = new Set(["q", "\u0003"])

interface Screen {
  readonly board: Board
  /** Something is not drawn yet. */
  isStale: boolean
  /** Instead of a transcript, while nothing was seen. */
  idle: readonly string[]
  /** About the connection. */
  note: string
}

/** The view of a terminal until `q`, Ctrl-C, or the end of the events; the terminal is left as it was found. */
export function screenView(
  terminal: Terminal,
  { followed, stop }: { readonly followed: Followed; readonly stop: AbortController },
): WatchView {
  const following = followingText(followed)
  const screen: Screen = { board: new Board(), isStale: true, idle: [following], note: "" }
  return {
    opened() {
      Object.assign(screen, { idle: [following, nothingText(followed)], isStale: true })
    },
    note(sentence) {
      Object.assign(screen, { note: sentence, isStale: true })
    },
    async show(events) {
      const leave = enter(terminal, screen, stop)
      try {
        const drawing = draw(terminal, screen, stop.signal)
        for await (const event of events) {
          screen.board.take(event)
          screen.isStale = true
        }
        stop.abort()
        await drawing
      } finally {
        stop.abort()
        leave()
      }
    },
  }
}

/** Takes the terminal over, and heeds its keys; returns what gives it back. */
function enter({ stdout, stdin }: Terminal, screen: Screen, stop: AbortController): () => void {
  const onKey = (chunk: unknown): void => {
    const key = String(chunk)
    if (QUIT.has(key)) stop.abort()
    if (UP.has(key)) screen.board.move(-1)
    if (DOWN.has(key)) screen.board.move(1)
    screen.isStale = true
  }
  stdin.setRawMode?.(true)
  stdin.on("data", onKey)
  stdout.write(ENTER)
  return () => {
    stdin.off("data", onKey)
    stdin.setRawMode?.(false)
    stdin.pause()
    stdout.write(LEAVE)
  }
}

/** At most so many frames a second, and none where nothing changed. */
async function draw(terminal: Terminal, screen: Screen, signal: AbortSignal): Promise<void> {
  const { stdout } = terminal
  const paint = paintFor(terminal)
  let size = ""
  while (!signal.aborted) {
    const { columns = 80, rows = 24 } = stdout
    if (screen.isStale || size !== `${columns}x${rows}`) {
      size = `${columns}x${rows}`
      screen.isStale = false
      const lines = layOut(screen.board, { columns, rows, paint, idle: screen.idle, note: screen.note })
      stdout.write(HOME + lines.join(`${TO_LINE_END}\r\n`) + TO_LINE_END)
    }
    await sleep(FRAME_MS, undefined, { signal }).catch(() => undefined)
  }
}
