import { shellWord } from "../quote.ts"
import { plainRecord } from "./record-script.ts"
import type { ByteText, ShellNotes, SnapshotPlace } from "./types.ts"

/** What our EXIT trap does: a snapshot of kind `exit` with the token of the generation (spec shells.md §5.6 a). */
export function exitAction(place: SnapshotPlace): string {
  return place.dialect === "bash" ? sourced(place, `${place.exitToken} "$-" "$?"`) : plainRecord(place, place.exitToken)
}

/** Sources the record script without a byte in any stream of the user. */
export const recordCall = (place: SnapshotPlace, token: string): string => sourced(place, `${token} "$-"`)

const sourced = ({ script }: SnapshotPlace, words: string): string =>
  `\\builtin . ${shellWord(script)} ${words} </dev/null >/dev/null 2>&1 && \\builtin :`

/** The user's own part of an EXIT trap; our action stands when it is in there. */
export function splitExitTrap(
  action: ByteText | undefined,
  ours: readonly ByteText[],
): Pick<ShellNotes, "exitTrap" | "exitActionStands"> {
  if (action === undefined) return { exitActionStands: false }
  const found = ours.find((one) => action.includes(one))
  const exitActionStands = found !== undefined
  const user = (found === undefined ? action : action.replace(found, "")).trim()
  return { exitActionStands, ...(user === "" ? {} : { exitTrap: user }) }
}

/** Two newlines: one that the user's text ends in a backslash joins, and one that ends a comment. */
const BEHIND = "\n\n"

/** Our action behind the user's own; there the exit status is no longer to be seen. */
export const chainedAction = (place: SnapshotPlace, user: ByteText | undefined): ByteText =>
  user === undefined ? exitAction(place) : `${user}${BEHIND}${behindAction(place)}`

/** What our action is behind another one. */
export const behindAction = (place: SnapshotPlace): string =>
  place.dialect === "bash" ? recordCall(place, place.exitToken) : exitAction(place)
