import { oneLine, type Paint } from "../sessions/paint.ts"
import type { Board, BoardEntry } from "./board.ts"

const MARKS: Readonly<Record<BoardEntry["state"], string>> = { idle: "·", running: "●", ended: "×" }
const MIN_LIST = 16
const MAX_LIST = 36
const HELP = "↑ ↓ choose   q quit"

/** What the view is drawn for. */
export interface Frame {
  readonly columns: number
  readonly rows: number
  readonly paint: Paint
  /** Stands where a transcript would, while there is none. */
  readonly idle: readonly string[]
  /** About the connection; empty where there is nothing to say. */
  readonly note: string
}

/** The view as lines of exactly the terminal's width: the list left, what the chosen one wrote right (spec shells.md §13). */
export function layOut(board: Board, { columns, rows, paint, idle, note }: Frame): readonly string[] {
  const listWidth = Math.max(MIN_LIST, Math.min(MAX_LIST, Math.floor(columns / 3)))
  const textWidth = Math.max(1, columns - listWidth - 3)
  const height = Math.max(1, rows - 2)
  const { entries, selected } = board
  const at = selected === undefined ? 0 : entries.indexOf(selected)
  const first = Math.max(0, Math.min(at - Math.floor(height / 2), entries.length - height))
  const texts = selected?.lines ?? idle.map((text) => ({ text, look: "plain" as const }))
  const lines = texts.flatMap(({ text, look }) => wrapped(text, textWidth).map((part) => paint(look, part)))
  const shown = lines.slice(-height)
  const title = selected === undefined ? "" : `${selected.id}  ${oneLine(selected.command)}`
  const body = Array.from({ length: height }, (_, row) => {
    const entry = entries[first + row]
    const cell = entry === undefined ? "" : `${MARKS[entry.state]} ${shortId(entry.id)}  ${oneLine(entry.command)}`
    const look = entry === selected && entry !== undefined ? "bold" : entry?.state === "ended" ? "dim" : "plain"
    return `${paint(look, fitted(cell, listWidth))} │ ${shown[row] ?? ""}`
  })
  return [
    paint("bold", fitted(`${fitted("shells and commands", listWidth)} │ ${title}`, columns)),
    ...body,
    paint("dim", fitted(note === "" ? HELP : `${HELP}   ${note}`, columns)),
  ]
}

/** A Job by its first eight digits, so that its command is seen beside it; the title has the whole id. */
const shortId = (id: string): string => id.replace(/^wc_job_([0-9a-f]{8})[0-9a-f]+$/, "$1")

/** Exactly `width` characters: cut, or filled with blanks. */
function fitted(text: string, width: number): string {
  const characters = [...text]
  if (characters.length > width) return `${characters.slice(0, width - 1).join("")}…`
  return text + " ".repeat(width - characters.length)
}

function wrapped(text: string, width: number): readonly string[] {
  const characters = [...text]
  const parts: string[] = []
  for (let from = 0; from < characters.length; from += width) parts.push(characters.slice(from, from + width).join(""))
  return parts.length === 0 ? [""] : parts
}
