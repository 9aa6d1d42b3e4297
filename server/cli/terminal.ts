import type { Readable, Writable } from "node:stream"

/** Where a command writes and what it knows of its process; passed in, so that nothing reaches for globals. */
export interface Terminal {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Program and leading arguments that start this very installation again. */
  readonly launch: readonly [string, ...string[]]
}

/** Writes one line to standard output. */
export function say(terminal: Terminal, line: string): void {
  terminal.stdout.write(`${line}\n`)
}

/** Writes a value as JSON where that was asked for, else its text for people. */
export function show(terminal: Terminal, asJson: boolean | undefined, value: object, text: () => string): void {
  say(terminal, asJson === true ? JSON.stringify(value, null, 2) : text())
}

/** A text that cannot move the cursor, colour the rest or end the line: control characters as `\\u001b`. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** Rows as aligned columns under their headings. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [headings, ...rows].map((row) => row.map(printable))
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}
