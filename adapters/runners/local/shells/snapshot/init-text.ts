import { abortAction, spareSignalNumber } from "../interrupt/abort-trap.ts"
import { shellWord } from "../quote.ts"
import { exitAction } from "./exit-action.ts"
import type { SnapshotPlace } from "./types.ts"

const BASH_SETTINGS = [
  "unset MAILCHECK TMOUT HISTFILE PROMPT_COMMAND",
  "PS0= PS1= PS2=",
  "set +o history +o histexpand +o monitor",
  "shopt -s execfail",
]

/** What a new process is told before its first frame (spec shells.md §5.1); sent into `in`, ends in a newline. */
export function initText(place: SnapshotPlace): string {
  const set = place.dialect === "bash" ? "trap --" : "command trap --"
  return [
    ...(place.dialect === "bash" ? BASH_SETTINGS : ["PS1= PS2="]),
    `${set} ${shellWord(abortAction(place.dialect))} ${place.spareSignal ?? spareSignalNumber()}`,
    `${set} ${shellWord(exitAction(place))} EXIT`,
    "",
  ].join("\n")
}
