import { shellWord } from "../../quote.ts"
import { exportLines } from "../launch.ts"

/** One command as a far `sh` starts it. */
export interface OneShotText {
  /** Of its generation, on the target. */
  readonly directory: string
  /** Names the command's folder below it. */
  readonly token: string
  /** Absent: bash, or sh where that is absent. */
  readonly shell?: "sh" | "bash"
  /** Absent: the login directory, beneath which a relative one lies. */
  readonly cwd?: string
  readonly withStdin: boolean
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly marker: { readonly name: string; readonly value: string }
}

/** What the target says before the command runs. */
export type OneShotAnswer =
  | { readonly kind: "open"; readonly shell: "sh" | "bash"; readonly parent: number }
  | { readonly kind: "cwd_missing" | "not_directory" | "no_shell" | "no_answer" }

/** Added to the number of a signal in `dead`: an exit status never is so large. */
const SIGNAL_BASE = 1000

/**
 * The text for a far `sh` in a session of its own (spec exec-and-jobs.md §2): it gives the command to a shell as one argument,
 * waits, and leaves the end in `dead`. The command replaces a subshell, so that what this `sh` says of its child is not in the
 * command's own stderr. A status above 128 is a signal where this `sh` says that its child died; of the three
 * that shells do not mention it is taken for one.
 */
export function oneShotText(spec: OneShotText): string {
  const place = shellWord(spec.directory)
  const command = shellWord(`${spec.directory}/${spec.token}`)
  return `{
trap : INT TERM HUP QUIT
${exportLines(spec)}
cd "\${HOME:-.}" 2>/dev/null || cd /
${spec.cwd === undefined ? "" : enter(spec.cwd)}
hf_shell=${spec.shell ?? "sh"}
${spec.shell === "sh" ? "" : "command -v bash >/dev/null 2>&1 && hf_shell=bash"}
${spec.shell === "bash" ? `command -v bash >/dev/null 2>&1 || { printf 'no_shell\\n'; exit 0; }` : ""}
printf '%s\n' $$ >${place}/parent
printf 'open %s %s\\n' $hf_shell $$
exec 3>${command}/o 4>${command}/e || exit 0
hf_text=$(cat ${command}/t; printf x)
hf_text=\${hf_text%x}
exec >/dev/null 2>${place}/diag
(exec $hf_shell -c "$hf_text" <${spec.withStdin ? `${command}/i` : "/dev/null"} >&3 2>&4 3>&- 4>&-)
hf_status=$?
case $hf_status in
  130|141|143) hf_status=$((hf_status - 128 + ${SIGNAL_BASE}));;
  *) [ $hf_status -gt 128 ] && [ -s ${place}/diag ] && hf_status=$((hf_status - 128 + ${SIGNAL_BASE}));;
esac
printf '%s\\n' $hf_status >${place}/dead.new && mv ${place}/dead.new ${place}/dead || printf '%s\\n' $hf_status >${place}/dead
exit 0
}
`
}

function enter(cwd: string): string {
  const word = shellWord(cwd.startsWith("/") ? cwd : `./${cwd}`)
  return `[ -e ${word} ] || { printf 'cwd_missing\\n'; exit 0; }
cd -- ${word} 2>/dev/null || { printf 'not_directory\\n'; exit 0; }`
}

/** Reads the first line that the text printed. */
export function oneShotAnswer(line: string): OneShotAnswer {
  const [word, shell, parent] = line.trim().split(" ")
  if (word === "open" && Number(parent) > 0) {
    return { kind: "open", shell: shell === "bash" ? "bash" : "sh", parent: Number(parent) }
  }
  if (word === "cwd_missing" || word === "not_directory" || word === "no_shell") return { kind: word }
  return { kind: "no_answer" }
}

/** What `dead` says: an exit status, or the number of a signal. */
export function readOneShotEnd(dead: number): { readonly exitCode: number } | { readonly signalNumber: number } {
  return dead > SIGNAL_BASE ? { signalNumber: dead - SIGNAL_BASE } : { exitCode: dead }
}
