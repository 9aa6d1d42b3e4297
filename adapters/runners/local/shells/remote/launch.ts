import type { Dialect } from "../../../../../core/shells/record.ts"
import { baseEnvironment } from "../../host/environment.ts"
import { SPARE_PROBE } from "../interrupt/abort-trap.ts"
import { SHELL_MARKER } from "../marker.ts"
import { shellWord } from "../quote.ts"

/** What a far shell is started with. */
export interface LaunchSpec {
  /** Of its generation, on the target. */
  readonly directory: string
  readonly dialect: Dialect
  /** No other dialect will do. */
  readonly exact: boolean
  /** Absent: the home directory. */
  readonly cwd?: string
  readonly env: readonly { readonly name: string; readonly value: string }[]
  /** Value of the marker HOLDFAST_SHELL. */
  readonly marker: string
}

/** What the launch answers before the shell runs. */
export type LaunchAnswer =
  | {
      readonly kind: "open"
      readonly dialect: Dialect /** Number of the abort trap's signal there. */
      readonly spareSignal: number
    }
  | { readonly kind: "cwd_missing" | "not_directory" | "no_shell" | "no_answer" }

/**
 * The text for a far `sh` in a session of its own, which becomes the parent of the shell: it waits, and leaves the status it saw in
 * `dead`. In the foreground, since a background child of a shell without job control ignores SIGINT.
 */
export function launchText(spec: LaunchSpec): string {
  const place = shellWord(spec.directory)
  const home = spec.cwd === undefined
  return `{
trap : INT TERM HUP QUIT
${exportLines({ env: spec.env, marker: { name: SHELL_MARKER, value: spec.marker } })}
${home ? `cd "\${HOME:-.}" 2>/dev/null || cd /` : enter(spec.cwd)}
hf_shell=sh
${spec.dialect === "bash" ? "command -v bash >/dev/null 2>&1 && hf_shell=bash" : ""}
${spec.dialect === "bash" && spec.exact ? `[ $hf_shell = bash ] || { printf 'no_shell\\n'; exit 0; }` : ""}
exec 0<>${place}/in || exit 0
${SPARE_PROBE}
printf 'open %s %s\\n' $hf_shell $hf_spare
exec >/dev/null 2>&1
if [ $hf_shell = bash ]; then
  bash --norc --noprofile --noediting -i 1<>${place}/out 2<>${place}/err
else
  sh 1<>${place}/out 2<>${place}/err
fi
hf_status=$?
printf '%s\\n' $hf_status >${place}/dead
exit 0
}
`
}

function enter(cwd: string): string {
  const word = shellWord(cwd)
  return `[ -e ${word} ] || { printf 'cwd_missing\\n'; exit 0; }
cd -- ${word} 2>/dev/null || { printf 'not_directory\\n'; exit 0; }`
}

/** The environment of everything that is started on a target: the defaults, then what was given, then the marker. */
export function exportLines({
  env,
  marker,
}: Pick<LaunchSpec, "env"> & { readonly marker: { readonly name: string; readonly value: string } }): string {
  const { PATH: _path, LANG, ...defaults } = baseEnvironment({ server: {} })
  const entries = [
    ...Object.entries(defaults),
    ...env.map(({ name, value }): [string, string] => [name, value]),
    [marker.name, marker.value] as const,
  ]
  return [
    `case "\${LC_ALL:-\${LC_CTYPE:-\${LANG:-}}}" in`,
    "*[Uu][Tt][Ff]8* | *[Uu][Tt][Ff]-8*) ;;",
    `*) unset LC_ALL LC_CTYPE; export LANG=${LANG ?? "C.UTF-8"};;`,
    "esac",
    "unset ENV BASH_ENV",
    ...entries.map(([name, value]) => `command export ${name}=${shellWord(value)} 2>/dev/null`),
  ].join("\n")
}

/** Reads the first line that the launch printed. */
export function launchAnswer(line: string): LaunchAnswer {
  const [word, dialect, spare] = line.trim().split(" ")
  if (word === "open" && (dialect === "bash" || dialect === "sh") && Number(spare) > 0) {
    return { kind: "open", dialect, spareSignal: Number(spare) }
  }
  if (word === "cwd_missing" || word === "not_directory" || word === "no_shell") return { kind: word }
  return { kind: "no_answer" }
}
