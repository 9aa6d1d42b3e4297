import { setTimeout as sleep } from "node:timers/promises"
import { chainLine, idleLine } from "../snapshot/idle-line.ts"
import { asText } from "../snapshot/quoting.ts"
import type { ShellNotes, Snapshot, SnapshotPlace, SnapshotReader, Written } from "../snapshot/types.ts"
import type { Tokens } from "../tokens.ts"
import type { Relay } from "./relay/relay.ts"

const RECORD_MS = 2000
const LOOK_MS = 10
/** A record on its way through the target's files arrives within this. */
const OWED_MS = 100
const KEPT_BYTES = 4_194_304

/** What is known of a far shell's state beside its process: its snapshots and notes (spec shells.md §5.6). */
export interface SeatMemory {
  /** Asks for an idle record and waits for it, ≤ 2 s. */
  rest(): Promise<void>
  /** Reads what was written since; gives what is whole now. */
  fetch(): Promise<readonly Written[]>
  readonly newest: Snapshot | undefined
  /** Of the newest snapshot. */
  readonly cwd: string | undefined
  readonly notes: ShellNotes | undefined
  /** What the EXIT action wrote, if it ran. */
  readonly exitWritten: Extract<Written, { readonly kind: "exit" }> | undefined
  /** Children of the shell, as they were told while it lived. */
  readonly children: readonly number[]
  noteChildren(children: readonly number[]): void
  /** A command is sent. */
  noteRun(): void
  /** Commands that ran, wholly or in part, after the newest snapshot. */
  readonly commandsBehind: number
  /**
   * The abort trap is not known to be of no use (spec shells.md §5.5). An idle record that was asked for and does not come
   * says that it is: `builtin` is not what it was.
   */
  canAbort(): Promise<boolean>
  /** What the next host would have to know as a command is sent. */
  traces(): { readonly older: readonly number[]; readonly canAbort: boolean; readonly behind: number }
  /** Number of the abort trap's signal. */
  readonly spareSignal: string
}

/** What a host that is gone knew of a far shell. */
export interface InheritedMemory {
  readonly snapshot?: Snapshot
  /** Commands that ran, wholly or in part, after it. */
  readonly behind: number
  readonly children: readonly number[]
  readonly canAbort: boolean
}

/** Reads from the file that the relay keeps beside the snapshot FIFO. */
export function createSeatMemory(options: {
  readonly relay: Relay
  readonly place: SnapshotPlace
  readonly reader: SnapshotReader
  readonly tokens: Tokens
  readonly spareSignal: string
  /** What the host before had found out; its files are read once more. */
  readonly inherited?: InheritedMemory
  /** A snapshot that the next host should know of. */
  keep(snapshot: Snapshot): void
}): SeatMemory {
  const { relay, place, reader, inherited } = options
  let from = 0
  let fetching: Promise<readonly Written[]> = Promise.resolve([])
  let children = inherited?.children ?? []
  let runs = inherited?.behind ?? 0
  /** Commands sent before the idle record that is asked for, and before the newest snapshot. */
  let runsAtRest = 0
  let runsInNewest = 0
  let newest = inherited?.snapshot
  let notes: ShellNotes | undefined
  let exitWritten: SeatMemory["exitWritten"]
  let isOwed = false

  /** One after the other: each reads on where the last one ended. */
  function fetch(): Promise<readonly Written[]> {
    const turn = fetching.then(read, read)
    fetching = turn.catch(() => [])
    return turn
  }

  async function read(): Promise<readonly Written[]> {
    const written: Written[] = []
    const size = await relay.read("snap.d", from, (chunk) => {
      written.push(...reader.push(chunk))
    })
    from += size
    for (const one of written) {
      newest = one.snapshot
      tell(newest)
      runsInNewest = one.kind === "exit" ? runs : runsAtRest
      if (one.kind === "exit") exitWritten = one
      else {
        notes = one.notes
        isOwed = false
      }
    }
    return written
  }

  function tell(snapshot: Snapshot): void {
    try {
      options.keep(snapshot)
    } catch {
      // Such as on a full disk: the next host restores from an older one.
    }
  }

  /** The shell rests, so nobody writes: what was read need not be kept. */
  async function shorten(): Promise<void> {
    if (from < KEPT_BYTES) return
    from = 0
    await relay.write("snap.d", "")
  }

  /** Waits for the record that is owed; `false`: it did not come. */
  async function paid(ms: number): Promise<boolean> {
    for (const until = performance.now() + ms; ; await sleep(LOOK_MS)) {
      await fetch()
      if (!isOwed || performance.now() > until) return !isOwed
    }
  }

  return {
    fetch,
    async rest() {
      const token = options.tokens.next()
      reader.expect(token)
      runsAtRest = runs
      isOwed = true
      await relay.send(idleLine(place, token))
      if (!(await paid(RECORD_MS))) return
      await shorten()
      const chain = notes === undefined ? undefined : chainLine(place, notes)
      if (chain !== undefined) await relay.send(chain)
    },
    get children() {
      return children
    },
    noteChildren(now) {
      children = now
    },
    noteRun() {
      runs += 1
    },
    get commandsBehind() {
      return runs - runsInNewest
    },
    get newest() {
      return newest
    },
    get cwd() {
      return newest?.cwd === undefined ? undefined : asText(newest.cwd)
    },
    get notes() {
      return notes
    },
    get exitWritten() {
      return exitWritten
    },
    traces: () => ({
      older: children,
      canAbort: !isOwed && (notes?.canAbort ?? inherited?.canAbort ?? true),
      behind: runs - runsInNewest,
    }),
    canAbort: async () => (await paid(OWED_MS)) && (notes?.canAbort ?? inherited?.canAbort ?? true),
    spareSignal: options.spareSignal,
  }
}
