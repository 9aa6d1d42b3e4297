/** Never in a snapshot, whatever they say (spec shells.md §5.6). */
const NEVER_KEPT = ["TMOUT", "PS0", "PS1", "PS2", "PROMPT_COMMAND", "MAILCHECK", "HISTFILE"] as const

/** The shell's own: set by every process itself, or read only there. */
const OWN = [
  "_",
  "BASH",
  "BASHOPTS",
  "BASHPID",
  "BASH_ALIASES",
  "BASH_ARGC",
  "BASH_ARGV",
  "BASH_ARGV0",
  "BASH_CMDS",
  "BASH_COMMAND",
  "BASH_EXECUTION_STRING",
  "BASH_LINENO",
  "BASH_LOADABLES_PATH",
  "BASH_MONOSECONDS",
  "BASH_REMATCH",
  "BASH_SOURCE",
  "BASH_SUBSHELL",
  "BASH_TRAPSIG",
  "BASH_VERSINFO",
  "BASH_VERSION",
  "BASH_XTRACEFD",
  "COMP_WORDBREAKS",
  "DIRSTACK",
  "EPOCHREALTIME",
  "EPOCHSECONDS",
  "EUID",
  "FUNCNAME",
  "GROUPS",
  "HISTCMD",
  "LINENO",
  "PIPESTATUS",
  "PPID",
  "PWD",
  "RANDOM",
  "SECONDS",
  "SHELLOPTS",
  "SHLVL",
  "SRANDOM",
  "UID",
] as const

const SKIPPED: ReadonlySet<string> = new Set([...NEVER_KEPT, ...OWN])

/** A variable of this name is part of a snapshot, unless it holds a secret. */
export const isKeptName = (name: string): boolean => !SKIPPED.has(name)

/** Given by the environment policy alone, never by a snapshot (spec shells.md §5.6). */
export const isPolicyName = (name: string): boolean => name.startsWith("MCP_")

/** What a new shell has without being told; where the old one had lost it, it is taken away again. */
export const BORN_NAMES = [
  "IFS",
  "OPTERR",
  "OPTIND",
  "PS4",
  "HOSTNAME",
  "HOSTTYPE",
  "MACHTYPE",
  "OSTYPE",
  "OLDPWD",
] as const

/** Words on which reading a command's text depends (spec shells.md §5.2). */
export const READING_WORDS: ReadonlySet<string> = new Set([".", "source", "eval", "builtin", "command", "trap", "kill"])

/** Options of `set -o` that are set by hand or never: what they would break is said in `lost`, or means nothing here. */
export const UNRESTORED_OPTIONS: ReadonlySet<string> = new Set([
  "errexit",
  "posix",
  "noexec",
  "onecmd",
  "privileged",
  "emacs",
  "vi",
])

/** Options that never come back, and say so. */
export const LOST_OPTIONS = ["onecmd", "noexec"] as const

const UNRESTORED_SHOPTS: ReadonlySet<string> = new Set(["restricted_shell", "login_shell", "extdebug"])

/** Of `shopt`: all but what is fixed at the start of a process, never restored, or what BASH_COMPAT stands for. */
export const isRestoredShopt = (name: string): boolean => !UNRESTORED_SHOPTS.has(name) && !/^compat\d+$/.test(name)
