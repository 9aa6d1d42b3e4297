import { Transcript, type TranscriptLine } from "./transcript.ts"
import { ownerOf, type WireEvent } from "./wire-event.ts"

/** Lines kept a shell or command. */
const KEPT_LINES = 2_000
/** Entries that have ended and are still listed. */
const KEPT_ENDED = 50

/** One shell, or one command that runs in none, as it is listed. */
export interface BoardEntry {
  readonly id: string
  state: "idle" | "running" | "ended"
  /** What runs, or ran last. */
  command: string
  readonly lines: TranscriptLine[]
}

/** What the terminal view shows: the shells and commands seen so far, and which one is looked at. */
export class Board {
  readonly #transcript = new Transcript()
  readonly #entries = new Map<string, BoardEntry>()
  #selected = 0

  /** In the order in which they were seen. */
  get entries(): readonly BoardEntry[] {
    return [...this.#entries.values()]
  }

  get selected(): BoardEntry | undefined {
    return this.entries[this.#selected]
  }

  /** Selects the one so many places further down; stops at the ends. */
  move(by: number): void {
    this.#selected = Math.max(0, Math.min(this.#entries.size - 1, this.#selected + by))
  }

  take(event: WireEvent): void {
    const id = ownerOf(event)
    const entry = this.#entries.get(id) ?? { id, state: "idle", command: "", lines: [] }
    this.#entries.set(id, entry)
    if (event.event === "command_started") {
      entry.state = "running"
      entry.command = event.command ?? event.tool
    }
    if (event.event === "command_ended") entry.state = event.shell_id === undefined ? "ended" : "idle"
    if (event.event === "shell_closed") entry.state = "ended"
    entry.lines.push(...this.#transcript.lines(event))
    entry.lines.splice(0, Math.max(0, entry.lines.length - KEPT_LINES))
    this.#forget()
  }

  #forget(): void {
    const looked = this.selected
    const ended = this.entries.filter((entry) => entry.state === "ended" && entry !== looked)
    for (const { id } of ended.slice(0, Math.max(0, ended.length - KEPT_ENDED))) this.#entries.delete(id)
    if (looked !== undefined) this.#selected = this.entries.indexOf(looked)
  }
}
