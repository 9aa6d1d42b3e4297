import { setTimeout as sleep } from "node:timers/promises"
import type { ShellNotes, Snapshot, SnapshotPlace, SnapshotReader, Written } from "../snapshot/types.ts"
import type { Tokens } from "../tokens.ts"
import type { Relay } from "./relay/relay.ts"

const RECORD_MS = 2000
const LOOK_MS = 10

/** What is known of a far shell's state beside its process: its snapshots and notes (spec shells.md §5.6). */
export interface SeatMemory {
  /** Asks for an idle record and waits for it, ≤ 2 s. */
  rest(): Promise<void>
  /** Reads what was written since; gives what is whole now. */
  fetch(): Promise<readonly Written[]>
  readonly newest: Snapshot | undefined
  readonly notes: ShellNotes | undefined
  /** The EXIT action ran; as it saw `errexit`. */
  readonly exitWritten: { readonly errexit: boolean } | undefined
  /** The abort trap stands, as far as is known. */
  readonly canAbort: boolean
  /** Number of the abort trap's signal. */
  readonly spareSignal: string
}

/** Texts of the snapshot room for one place. */
export interface RecordTexts {
  idleLine(place: SnapshotPlace, token: string): string
  chainLine(place: SnapshotPlace, notes: ShellNotes): string | undefined
}

/** Reads from the file that the relay keeps beside the snapshot FIFO. */
export function createSeatMemory(options: {
  readonly relay: Relay
  readonly place: SnapshotPlace
  readonly reader: SnapshotReader
  readonly tokens: Tokens
  readonly texts: RecordTexts
  readonly spareSignal: string
}): SeatMemory {
  const { relay, place, reader, texts } = options
  let from = 0
  let newest: Snapshot | undefined
  let notes: ShellNotes | undefined
  let exitWritten: { readonly errexit: boolean } | undefined

  async function fetch(): Promise<readonly Written[]> {
    const written: Written[] = []
    from += await relay.read("snap.d", from, (chunk) => {
      written.push(...reader.push(chunk))
    })
    for (const one of written) {
      newest = one.snapshot
      if (one.kind === "idle") notes = one.notes
      else exitWritten = { errexit: one.errexit }
    }
    return written
  }

  return {
    fetch,
    async rest() {
      const token = options.tokens.next()
      reader.expect(token)
      await relay.send(texts.idleLine(place, token))
      const until = performance.now() + RECORD_MS
      while (performance.now() < until) {
        const written = await fetch()
        if (written.some((one) => one.token === token)) break
        await sleep(LOOK_MS)
      }
      const chain = notes === undefined ? undefined : texts.chainLine(place, notes)
      if (chain !== undefined) await relay.send(chain)
    },
    get newest() {
      return newest
    },
    get notes() {
      return notes
    },
    get exitWritten() {
      return exitWritten
    },
    get canAbort() {
      return notes?.canAbort ?? true
    },
    spareSignal: options.spareSignal,
  }
}
