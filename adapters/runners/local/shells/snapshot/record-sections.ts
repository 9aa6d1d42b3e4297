import type { Dialect } from "../../../../../core/shells/record.ts"

/** A part of a record: what is written, then a line `<token> <name>` that ends it. */
export interface RecordSection {
  readonly name: string
  readonly commands: readonly string[]
}

/** Word behind the token of the line that begins a record. */
export const BEGIN = "begin"

/** `$2`: the flags before `.` could touch them. A last word `sourced`: some text was being sourced at that moment. */
const BASH_FLAGS = `\\builtin echo "$2" "\${#FUNCNAME[@]}" "\${BASH_SOURCE[1]:+sourced}"`

const BASH_SECTIONS: readonly RecordSection[] = [
  { name: "flags", commands: [BASH_FLAGS] },
  { name: "cwd", commands: ["\\builtin pwd -P"] },
  { name: "options", commands: ["\\builtin set +o", "\\builtin shopt -p", "\\builtin umask -p"] },
  { name: "limits", commands: ["\\builtin ulimit -S -a"] },
  { name: "variables", commands: ["\\builtin declare -p"] },
  { name: "locals", commands: ["\\builtin local -p"] },
  { name: "functions", commands: ["\\builtin declare -f"] },
  { name: "marks", commands: ["\\builtin declare -F"] },
  { name: "aliases", commands: ["\\builtin alias -p"] },
  { name: "traps", commands: ["\\builtin trap -p"] },
  { name: "disabled", commands: ["\\builtin enable -n"] },
]

const SH_SECTIONS: readonly RecordSection[] = [
  { name: "flags", commands: ['\\command echo "$-"'] },
  { name: "cwd", commands: ["\\command pwd -P"] },
  { name: "options", commands: ["\\command set +o", "\\command umask"] },
  { name: "exported", commands: ["\\command export -p"] },
  { name: "readonly", commands: ["\\command readonly -p"] },
  { name: "variables", commands: ["\\command set"] },
  { name: "aliases", commands: ["\\command alias"] },
  { name: "traps", commands: ["\\command trap"] },
]

/** The parts of a record in the order they are written. */
export const recordSections = (dialect: Dialect): readonly RecordSection[] =>
  dialect === "bash" ? BASH_SECTIONS : SH_SECTIONS
