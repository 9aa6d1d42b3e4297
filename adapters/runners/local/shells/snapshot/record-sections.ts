import type { Dialect } from "../../../../../core/shells/record.ts"

/** A part of a record: what is written, then a line `<token> <name>` that ends it. */
export interface RecordSection {
  readonly name: string
  /** Builtins with their arguments. */
  readonly commands: readonly string[]
}

/** Word behind the token of the line that begins a record. */
export const BEGIN = "begin"

/**
 * `$2`: the flags before `.` could touch them; `$3`: the exit status, where our action is the first one of the EXIT trap. A
 * last word `sourced`: some text was being sourced at that moment.
 */
const BASH_FLAGS = `echo "$2" "\${3-}" "\${BASH_SOURCE[1]:+sourced}"`

const BASH_SECTIONS: readonly RecordSection[] = [
  { name: "flags", commands: [BASH_FLAGS] },
  { name: "cwd", commands: ["pwd -P"] },
  { name: "options", commands: ["set +o", "shopt -p", "umask -p"] },
  { name: "limits", commands: ["ulimit -S -a"] },
  { name: "variables", commands: ["declare -p"] },
  { name: "locals", commands: ["local -p"] },
  { name: "functions", commands: ["declare -f"] },
  { name: "marks", commands: ["declare -F"] },
  { name: "aliases", commands: ["alias -p"] },
  { name: "disabled", commands: ["enable -n"] },
]

const SH_SECTIONS: readonly RecordSection[] = [
  { name: "flags", commands: ['echo "$-"'] },
  { name: "cwd", commands: ["pwd -P"] },
  { name: "options", commands: ["set +o", "umask"] },
  { name: "exported", commands: ["export -p"] },
  { name: "readonly", commands: ["readonly -p"] },
  { name: "variables", commands: ["set"] },
  { name: "aliases", commands: ["alias"] },
  { name: "traps", commands: ["trap"] },
]

/** The parts of a record that are written together, in their order. */
export const recordSections = (dialect: Dialect): readonly RecordSection[] =>
  dialect === "bash" ? BASH_SECTIONS : SH_SECTIONS

/** What only an idle record of bash has, written behind the others: `.` hides a DEBUG trap from what it sources. */
export const TRAP_SECTION: RecordSection = { name: "traps", commands: ["trap -p"] }

/** Names of the parts of a whole record, in their order. */
export const sectionNames = (dialect: Dialect, kind: "exit" | "idle"): readonly string[] =>
  [...recordSections(dialect), ...(dialect === "bash" && kind === "idle" ? [TRAP_SECTION] : [])].map(({ name }) => name)
