import { ToolError } from "../kernel/error.ts"

const POSIX_SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "fish", "ash"])
const POWERSHELLS = new Set(["powershell", "pwsh"])
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/
/** Options of `env` that take the next word as their value. */
const ENV_VALUES = new Set(["-u", "--unset", "-C", "--chdir", "-a", "--argv0"])
/** Options of POSIX shells that take the next word as their value. */
const SHELL_VALUES = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file", "--init-command", "-C"])

/**
 * Whether an argv hands command text to a shell: `sh -c`, also with other options and through `env`, `cmd /c`,
 * `powershell -Command` (spec exec-and-jobs.md §2). A shell that runs a file is none.
 */
export function isShellArgv(executable: string, args: readonly string[]): boolean {
  const name = baseName(executable)
  if (name === "env") return isShellBehindEnv(args)
  if (name === "busybox" && args[0] !== undefined) return isShellArgv(args[0], args.slice(1))
  if (POSIX_SHELLS.has(name)) return takesText(args)
  if (name === "cmd") return args.some((word) => /^\/[ck]/i.test(word))
  return POWERSHELLS.has(name) && args.some((word) => /^[-/](c(o(m(m(a(n(d)?)?)?)?)?)?|e(c|n\w*)?)$/i.test(word))
}

/** @throws ToolError `use_run_shell`, so that command text is bounded, fenced and recorded in one place. */
export function refuseShellArgv(executable: string, args: readonly string[]): void {
  if (!isShellArgv(executable, args)) return
  throw new ToolError(
    "use_run_shell",
    "This argv gives command text to a shell. Pass the text to run_shell, or the program itself with its arguments.",
    { executionState: "not_started" },
  )
}

function baseName(executable: string): string {
  const name = executable.split(/[/\\]/).at(-1) ?? ""
  return name.toLowerCase().replace(/\.exe$/, "")
}

/** The options of a POSIX shell end at its first other word; `-c` may stand in a group of letters (`-lc`). */
function takesText(args: readonly string[]): boolean {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ""
    if (word === "--command" || word.startsWith("--command=")) return true
    if (!/^[-+]./.test(word) || word === "--") return false
    if (/^-[A-Za-z]*c/.test(word)) return true
    if (SHELL_VALUES.has(word)) at += 1
  }
  return false
}

/** The words before the command are options, with their values, and assignments. */
function isShellBehindEnv(args: readonly string[]): boolean {
  let at = 0
  while (at < args.length) {
    const word = args[at] ?? ""
    const split = splitString(word, args[at + 1])
    if (split !== undefined) return isShellBehindEnv([...split.words, ...args.slice(at + split.taken)])
    if (ENV_VALUES.has(word)) at += 2
    else if (word.startsWith("-") || ASSIGNMENT.test(word)) at += 1
    else return isShellArgv(word, args.slice(at + 1))
  }
  return false
}

/** `env -S 'sh -c id'` takes its words from one argument. */
function splitString(
  word: string,
  next: string | undefined,
): { readonly words: readonly string[]; readonly taken: number } | undefined {
  const inline = /^(?:-[iv0]*S|--split-string=)(.+)$/s.exec(word)?.[1]
  const text = inline ?? (/^(?:-[iv0]*S|--split-string)$/.test(word) ? next : undefined)
  if (text === undefined) return undefined
  return { words: text.split(/\s+/).filter((one) => one !== ""), taken: inline === undefined ? 2 : 1 }
}
