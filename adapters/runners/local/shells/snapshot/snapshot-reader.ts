import { abortAction, spareSignalName, spareSignalNumber } from "../interrupt/abort-trap.ts"
import { behindAction, exitAction, splitExitTrap } from "./exit-action.ts"
import { parseTraps } from "./parse-bash.ts"
import { asBytes } from "./quoting.ts"
import { createRecordFrames, type RecordFrame } from "./record-frames.ts"
import { sectionNames } from "./record-sections.ts"
import { hasErrexit, snapshotOf } from "./snapshot-of.ts"
import type {
  ExitSigns,
  ShellNotes,
  Snapshot,
  SnapshotPlace,
  SnapshotReader,
  SnapshotReaderOptions,
  Written,
} from "./types.ts"

/** Reads the records of one generation. */
export function createSnapshotReader({ place, secrets }: SnapshotReaderOptions): SnapshotReader {
  let expected: string | undefined
  let newest: Snapshot | undefined
  const frames = createRecordFrames((token) => {
    if (token === place.exitToken) return sectionNames(place.dialect, "exit")
    return token === expected ? sectionNames(place.dialect, "idle") : undefined
  })

  function written(frame: RecordFrame): Written {
    const kind = frame.token === place.exitToken ? "exit" : "idle"
    const snapshot = snapshotOf(frame, { kind, dialect: place.dialect, secrets: secrets(), before: newest })
    newest = snapshot
    if (kind === "exit") return { kind, token: frame.token, snapshot, ...signsOf(frame) }
    expected = undefined
    return { kind, token: frame.token, snapshot, notes: notesOf(frame, place) }
  }

  return {
    expect(token) {
      expected = token
    },
    push: (chunk) => frames.push(chunk).map(written),
  }
}

function signsOf(frame: RecordFrame): ExitSigns {
  const flags = frame.sections.get("flags") ?? ""
  const status = /^(?:\S* )?(\d+)\b/m.exec(flags)?.[1]
  return {
    errexit: hasErrexit(frame),
    // In bash a simple command that fires `errexit` leaves the sourced text before the EXIT trap runs; `exit` does not.
    unwound: /^\S* \d* $/m.test(flags),
    ...(status === undefined ? {} : { status: Number(status) }),
  }
}

/** Words that the abort trap is made of. */
const ABORT_WORDS = ["builtin", "trap", "kill"] as const

function notesOf({ sections }: RecordFrame, place: SnapshotPlace): ShellNotes {
  const traps = new Map(parseTraps(sections.get("traps") ?? ""))
  const number = place.spareSignal ?? spareSignalNumber()
  const spare = [spareSignalName(number).slice("SIG".length), String(number)]
  const abortStands = spare.some((name) => traps.get(name) === abortAction(place.dialect))
  const exit = splitExitTrap(traps.get("EXIT"), [exitAction(place), behindAction(place)].map(asBytes))
  for (const name of [...spare, "EXIT"]) traps.delete(name)
  const shadowed = new Set([...namesIn(sections.get("marks")), ...namesIn(sections.get("disabled"))])
  return {
    ...exit,
    trapped: [...traps.keys(), ...(exit.exitTrap === undefined ? [] : ["EXIT"])],
    canAbort: abortStands && !ABORT_WORDS.some((word) => shadowed.has(word)),
  }
}

/** Last words of lines: what `declare -F` and `enable -n` list. */
const namesIn = (text = ""): readonly string[] => text.split("\n").map((line) => line.slice(line.lastIndexOf(" ") + 1))
