import { shellWord } from "../quote.ts"
import { chainedAction, recordCall } from "./exit-action.ts"
import { asBytes } from "./quoting.ts"
import { plainRecord, trapLines } from "./record-script.ts"
import type { ShellNotes, SnapshotPlace } from "./types.ts"

/**
 * The idle record (spec shells.md §5.6 b), sent into `in` when a command ended and none waits. It starts on a line of its
 * own, so that bytes somebody pushed there cannot join it. `token`: 32 fresh hex, also told to the reader by `expect`.
 */
export const idleLine = (place: SnapshotPlace, token: string): string =>
  place.dialect === "bash"
    ? `\n${recordCall(place, token)}\n${trapLines(place, token)}\n`
    : `\n${plainRecord(place, token)}\n`

/**
 * Puts our EXIT action behind the user's own EXIT trap again, or in its empty place; `undefined`: it stands. To be sent
 * into `in` as soon as an idle record tells it; bytes, since the user's text may be no UTF-8.
 */
export function chainLine(place: SnapshotPlace, notes: ShellNotes): Uint8Array | undefined {
  if (notes.exitActionStands) return undefined
  const action = shellWord(
    chainedAction({ ...place, fifo: asBytes(place.fifo), script: asBytes(place.script) }, notes.exitTrap),
  )
  const word = place.dialect === "bash" ? "\\builtin" : "\\command"
  return Buffer.from(`\n${word} trap -- ${action} EXIT 2>/dev/null && ${word} :\n`, "latin1")
}
