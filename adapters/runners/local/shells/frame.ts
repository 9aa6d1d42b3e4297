import type { Dialect } from "../../../../core/shells/record.ts"
import { shellWord } from "./quote.ts"

/** What one frame needs to know (spec shells.md §5.2); paths absolute. */
export interface Frame {
  readonly dialect: Dialect
  readonly token: string
  /** File with the text, to be sourced. */
  readonly command: string
  /** File with the standard input; absent: `/dev/null`. */
  readonly stdin?: string
  readonly out: string
  /** Absent: the same pipe as `out`, in one order. */
  readonly err?: string
  readonly env: readonly { readonly name: string; readonly value: string }[]
  /** The exit status is appended to it for the name of the file that tells it. */
  readonly status: string
  /** FIFO of the wake-ups. */
  readonly wake: string
  /** Run under a terminal of its own. */
  readonly terminal?: { readonly script: string; readonly shell: string }
}

const COLUMNS = 120
const ROWS = 40

/**
 * The three lines of one command. The first begins on a line of its own, so that bytes somebody pushed into the pipe
 * cannot join it; the second is a null command with one redirection, which nothing can shadow; the third only saves
 * waiting. Three lines, because an error that jumps to the top level skips the rest of its line.
 */
export function frameText(frame: Frame): string {
  const input = frame.stdin === undefined ? "/dev/null" : shellWord(frame.stdin)
  const error = frame.err === undefined ? "2>&1" : `2<>${shellWord(frame.err)}`
  const wake = frame.dialect === "bash" ? "\\builtin printf" : "printf"
  return [
    "",
    `${assignments(frame)}${runner(frame)} <${input} 1<>${shellWord(frame.out)} ${error}`,
    `>|${shellWord(frame.status)}"$?"`,
    `${wake} '%s\\n' ${frame.token} >${shellWord(frame.wake)}`,
    "",
  ].join("\n")
}

function assignments({ env }: Frame): string {
  return env.map(({ name, value }) => `${name}=${shellWord(value)} `).join("")
}

function runner({ dialect, command, env, terminal }: Frame): string {
  if (terminal !== undefined) {
    const inner = `stty rows ${ROWS} cols ${COLUMNS}; exec ${shellWord(terminal.shell)} ${shellWord(command)}`
    return `SHELL=/bin/sh \\command ${shellWord(terminal.script)} -qec ${shellWord(inner)} /dev/null`
  }
  // `command` keeps assignments before a special builtin from lasting, and a special builtin's errors from ending `sh`.
  if (dialect === "sh") return `command . ${shellWord(command)}`
  return env.length === 0 ? `. ${shellWord(command)}` : `\\command . ${shellWord(command)}`
}
