import type { Workspace } from "../../../../../../core/shells/runner.ts"
import { shellWord } from "../../quote.ts"
import { ignoredPatterns } from "./ignored.ts"

/** Where a target keeps its checkpoints: a shadow repository beside the relay, the workspace as its work tree. */
export interface CheckpointPlace {
  /** The relay's directory, on the target. */
  readonly directory: string
  readonly workspace: Workspace
}

/** What a commit of the shadow repository says about itself, as one line of JSON. */
export interface CheckpointNote {
  readonly label: string
  readonly automatic: boolean
  /** Made by a restore, of what it replaced. */
  readonly safety: boolean
  /** Ms. */
  readonly at: number
}

const REFS = "refs/checkpoints"

/**
 * What every script begins with. The workspace's own repository is never touched: the shadow one has its own directory and index, no
 * configuration of the machine, and takes and gives every byte as it is. Ends with a line `fail <reason>` where it cannot be used.
 */
function prelude({ directory, workspace }: CheckpointPlace): string {
  return `umask 077
W=${shellWord(workspace.path)}
S=${shellWord(directory)}/checkpoints
hf_fail() { printf 'fail %s\\n' "$1"; exit 0; }
command -v git >/dev/null 2>&1 || hf_fail no_git
[ -d "$W" ] || hf_fail no_workspace
cd -- "$W" || hf_fail no_workspace
W=$(pwd -P)
unset GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_COMMON_DIR
export GIT_DIR="$S" GIT_WORK_TREE="$W" GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME="$S" XDG_CONFIG_HOME="$S"
export GIT_LITERAL_PATHSPECS=1 GIT_TERMINAL_PROMPT=0 LC_ALL=C
export GIT_AUTHOR_NAME=holdfast GIT_AUTHOR_EMAIL=holdfast@localhost GIT_COMMITTER_NAME=holdfast GIT_COMMITTER_EMAIL=holdfast@localhost
if [ ! -e "$S/ready" ]; then
  rm -rf "$S"
  git init -q --template= >/dev/null 2>&1 || hf_fail no_git
  mkdir -p "$S/info"
  printf '* -text -eol -ident -filter -working-tree-encoding\\n' >"$S/info/attributes"
  printf '%s' ${shellWord(ignoredPatterns(workspace.ignores))} >"$S/ignored"
  : >"$S/ready"
fi
hf_capture() {
  git ls-files -z -c -o -X "$S/ignored"${pathWords(workspace.paths)} 2>/dev/null |
    git update-index -z --add --remove --replace --stdin 2>/dev/null
  git write-tree 2>/dev/null
}
hf_store() {
  hf_id=$(printf '%s\\n' "$2" | git commit-tree "$1") || return 1
  git update-ref "${REFS}/$3" "$hf_id" && printf '%s' "$hf_id"
}
`
}

const pathWords = (paths: readonly string[]): string =>
  paths.length === 0 ? "" : ` -- ${paths.map((path) => shellWord(path)).join(" ")}`

/** Prints `ready` where checkpoints can be made. */
export const probeScript = (place: CheckpointPlace): string => `${prelude(place)}printf 'ready\\n'\n`

/**
 * Takes the workspace and prints `made <id>`; of an automatic one that would equal the newest, only `same`. The oldest automatic ones beyond
 * `keep` are let go.
 */
export function createScript(place: CheckpointPlace, note: CheckpointNote, keep: number): string {
  return `${prelude(place)}T=$(hf_capture)
[ -n "$T" ] || hf_fail capture
${note.automatic ? unlessSame : ""}
hf_id=$(hf_store "$T" ${shellWord(JSON.stringify(note))} ${nameOf(note)}) || hf_fail store
printf '%s\\n' "$T" >"$S/newest"
hf_count=0 hf_old=
for hf_ref in $(git for-each-ref --sort=-refname --format='%(refname)' ${REFS}/a/); do
  hf_count=$((hf_count + 1))
  [ "$hf_count" -le ${keep} ] || { git update-ref -d "$hf_ref"; hf_old=1; }
done
[ -z "$hf_old" ] || git prune --expire=now >/dev/null 2>&1
printf 'made %s\\n' "$hf_id"
`
}

const unlessSame = `hf_newest=
[ ! -e "$S/newest" ] || read -r hf_newest <"$S/newest"
[ "$hf_newest" != "$T" ] || { printf 'same\\n'; exit 0; }`

/** Below `a` the automatic ones, which are let go by their age; names sort by time. */
const nameOf = ({ automatic, at }: CheckpointNote): string => `${automatic ? "a" : "m"}/${String(at).padStart(15, "0")}`

/** Prints a line `<id> <note>` a checkpoint. */
export const listScript = (place: CheckpointPlace): string =>
  `${prelude(place)}git for-each-ref --format='%(objectname) %(contents:subject)' ${REFS}/\nprintf 'listed\\n'\n`

/**
 * Stores what is there, then makes the workspace equal to a checkpoint in all files that are not left alone. Prints
 * `restored <safety id> <changed> <removed>`.
 */
export function restoreScript(place: CheckpointPlace, id: string, safety: CheckpointNote): string {
  return `${prelude(place)}T=$(hf_capture)
[ -n "$T" ] || hf_fail capture
N=$(git rev-parse -q --verify ${shellWord(`${id}^{tree}`)}) || hf_fail unknown
hf_id=$(hf_store "$T" ${shellWord(JSON.stringify(safety))} ${nameOf(safety)}) || hf_fail store
hf_changed=0 hf_removed=0
hf_diff=$(git diff-tree -r --no-renames --raw "$T" "$N" | while read -r hf_a hf_b hf_c hf_d hf_s hf_rest; do printf '%s ' "$hf_s"; done)
for hf_s in $hf_diff; do
  hf_changed=$((hf_changed + 1))
  [ "$hf_s" != D ] || hf_removed=$((hf_removed + 1))
done
git read-tree --reset -u "$N" >/dev/null 2>&1 || hf_fail restore
rm -f "$S/newest"
printf 'restored %s %s %s\\n' "$hf_id" "$hf_changed" "$hf_removed"
`
}
