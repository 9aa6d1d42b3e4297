import { ControlReducer } from "../../../core/jobs/output/control-reduction.ts"
import type { Look } from "../sessions/paint.ts"
import { oneLine } from "../sessions/paint.ts"
import { ownerOf, type WireEvent } from "./wire-event.ts"

/** One line about a shell or a command. */
export interface TranscriptLine {
  /** The shell, or the command that runs in none. */
  readonly id: string
  readonly text: string
  readonly look: Look
}

/** Turns events into lines for people: output is reduced as results are, and steers no terminal. */
export class Transcript {
  /** Output whose line has not ended, by Job and stream. */
  readonly #open = new Map<string, ControlReducer>()

  /** The lines that an event completes. */
  lines(event: WireEvent): readonly TranscriptLine[] {
    const id = ownerOf(event)
    const line = (look: Look, text: string): TranscriptLine => ({ id, text: oneLine(text), look })
    switch (event.event) {
      case "shell_opened":
        return [line("dim", `opened ${event.shell} in ${event.cwd}`)]
      case "command_started":
        return [line("bold", `$ ${event.command ?? event.tool}`)]
      case "output":
        return this.#output(id, event)
      case "gap":
        return [...this.#rest(id, event), line("dim", `… ${event.bytes} bytes of ${event.stream} are not kept …`)]
      case "command_ended": {
        const rest = (["stdout", "stderr"] as const).flatMap((stream) => this.#rest(id, { ...event, stream }))
        return [...rest, line(event.exit_code === 0 ? "dim" : "bad", `= ${endText(event)}`)]
      }
      case "shell_closed":
        return [line("dim", `${event.state}${event.reason === undefined ? "" : `: ${event.reason}`}`)]
      default:
        return event satisfies never
    }
  }

  #output(id: string, event: Extract<WireEvent, { event: "output" }>): readonly TranscriptLine[] {
    const key = keyOf(event)
    const reducer = this.#open.get(key) ?? new ControlReducer()
    this.#open.set(key, reducer)
    return linesOf(id, reducer.push(event.text), event.stream)
  }

  /** A last line without its end. */
  #rest(id: string, of: { readonly job_id: string; readonly stream: "stdout" | "stderr" }): readonly TranscriptLine[] {
    const key = keyOf(of)
    const text = this.#open.get(key)?.end() ?? ""
    this.#open.delete(key)
    return linesOf(id, text, of.stream)
  }
}

const keyOf = (of: { readonly job_id: string; readonly stream: string }): string => `${of.job_id} ${of.stream}`

function linesOf(id: string, text: string, stream: "stdout" | "stderr"): readonly TranscriptLine[] {
  if (text === "") return []
  const look = stream === "stderr" ? "bad" : "plain"
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => ({ id, text: printable(line), look }))
}

/** A tab stays one in the middle of a line; nothing else that is left moves the cursor. */
const printable = (line: string): string => line.replaceAll("\t", "    ").replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "")

function endText({ outcome, exit_code: code, signal }: Extract<WireEvent, { event: "command_ended" }>): string {
  if (code !== null) return `exit ${code}`
  return signal === undefined ? outcome.replaceAll("_", " ") : signal
}
