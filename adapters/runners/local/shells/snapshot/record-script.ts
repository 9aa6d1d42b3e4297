import { shellWord } from "../quote.ts"
import { BEGIN, recordSections } from "./record-sections.ts"
import type { SnapshotPlace } from "./types.ts"

const PROMPTS = ["PS0", "PS1", "PS2", "PROMPT_COMMAND"] as const

/**
 * Content of `place.script` in bash, sourced with a token and `$-` as arguments: sections into the FIFO, each with its end
 * token, without a fork (spec shells.md §5.6); then empties what bash would expand or run before each line of a frame.
 * In sh, where a sourced file gets no arguments, the idle line and the EXIT action hold all of it and this is empty.
 */
export function recordScript(place: SnapshotPlace): string {
  return place.dialect === "bash" ? `${recordLines(place, '\\builtin echo "$1"')}\n${emptyPrompts()}\n` : ""
}

/** The commands of a record in sh, as text of its own. */
export const plainRecord = (place: SnapshotPlace, token: string): string =>
  recordLines(place, `\\command echo ${token}`)

/**
 * Each command opens the FIFO for itself, so that what a DEBUG trap prints goes elsewhere, and stands under `!`, so that
 * none fires `errexit` or an ERR trap; none needs a process, a variable, or a word that an alias or a function can take
 * over, but `builtin` (in sh `command`) itself.
 */
function recordLines(place: SnapshotPlace, echo: string): string {
  const into = `>>${shellWord(place.fifo)}`
  const mark = (name: string): string => `! ${echo} ${name} ${into}`
  const lines = recordSections(place.dialect).flatMap(({ name, commands }) => [
    ...commands.map((command) => `! ${command} ${into}`),
    mark(name),
  ])
  return [mark(BEGIN), ...lines].join("\n")
}

/**
 * `unset` fails on a readonly name where an assignment would end a shell with `errexit`; the name is then assigned, as it
 * was at the start, so that `set -u` finds it. `[*]`: PROMPT_COMMAND may be an array.
 */
function emptyPrompts(): string {
  return PROMPTS.map((name) => `\\builtin test -z "\${${name}[*]-}" || ! \\builtin unset -v ${name} || ${name}=`).join(
    "\n",
  )
}
