import { shellWord } from "../quote.ts"
import { BEGIN, type RecordSection, recordSections, TRAP_SECTION } from "./record-sections.ts"
import type { SnapshotPlace } from "./types.ts"

const PROMPTS = ["PS0", "PS1", "PS2", "PROMPT_COMMAND"] as const

/**
 * Content of `place.script` in bash, sourced with a token and `$-` as arguments: sections into the FIFO, each with its end
 * token, without a fork (spec shells.md §5.6); then empties what bash would expand or run before each line of a frame.
 * In sh, where a sourced file gets no arguments, the idle line and the EXIT action hold all of it and this is empty.
 */
export function recordScript(place: SnapshotPlace): string {
  return place.dialect === "bash" ? `${recordLines(place, '"$1"')}\n${emptyPrompts()}\n` : ""
}

/** The commands of a record in sh, as text of its own. */
export const plainRecord = (place: SnapshotPlace, token: string): string => recordLines(place, token)

/** What an idle line of bash writes behind the script, in the same form. */
export const trapLines = (place: SnapshotPlace, token: string): string => sectionLines(place, TRAP_SECTION, token)

function recordLines(place: SnapshotPlace, token: string): string {
  const sections = recordSections(place.dialect).map((section) => sectionLines(place, section, token))
  // Whatever comes first in an EXIT trap still sees the exit status; in bash it is an argument.
  const begin = place.dialect === "bash" ? BEGIN : `${BEGIN}"\n$?"`
  return [sectionLines(place, { name: begin, commands: [] }, token), ...sections].join("\n")
}

/**
 * Each command opens the FIFO for itself, so that what a DEBUG trap prints goes elsewhere. Each is followed by another one,
 * so that its failure fires neither `errexit` nor an ERR trap; `!` would do the same, but can be an alias. None needs a
 * process, a variable, or a word that an alias or a function can take over, but `builtin` (in sh `command`) itself.
 */
function sectionLines({ dialect, fifo }: SnapshotPlace, { name, commands }: RecordSection, token: string): string {
  const word = dialect === "bash" ? "\\builtin" : "\\command"
  return [...commands, `echo ${token} ${name}`]
    .map((command) => `${word} ${command} 2>/dev/null >>${shellWord(fifo)} && ${word} :`)
    .join("\n")
}

/**
 * `unset` fails on a readonly name where an assignment would end a shell with `errexit`; the name is then assigned, as it
 * was at the start, so that `set -u` finds it. `[*]`: PROMPT_COMMAND may be an array.
 */
function emptyPrompts(): string {
  return PROMPTS.map((name) => `\\builtin test -n "\${${name}[*]-}" && \\builtin unset -v ${name} && ${name}=`).join(
    "\n",
  )
}
